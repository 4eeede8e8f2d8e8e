import { contentTypes } from '../api/content-types.ts';
import { formats } from '../api/formats.ts';
import { problemDocument } from '../api/problems.ts';
import { decodeSegment } from '../api/address.ts';
import { problemError } from '../problem/problem.ts';
import type { Host, SiteLocation } from './host.ts';
import { fillTemplate, indent, unusualTypes } from './template.ts';

/* Web servers match decoded paths and undecoded queries. */

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  unsupported: ['encoding', 'limit', 'upcoming', 'problems', 'accept'],
  testedWith: 'nginx 1.22 of Debian',
  steps: ({ mount }) => [
    `A server of its own:
    include almanac.conf in the http block,
    and reload nginx`,
    ...(mount === '' ? [] : [below]),
  ],
  files: (location) => {
    const values = nginxValues(location);
    const [maps, inServer] = ['maps', 'location'].map((part) =>
      fillTemplate(`nginx/${part}.conf`, values),
    );
    const server = fillTemplate('nginx/server.conf', {
      ...values,
      location: indent(inServer ?? '', '    '),
    });
    const whole = `# Answers the filters of the query form with files of the site. Ignores limit.\n${maps}\n${server}`;
    return {
      'almanac.conf': whole,
      ...(location.mount !== '' && {
        'almanac-maps.conf': maps ?? '',
        'almanac-location.conf': inServer ?? '',
      }),
    };
  },
};

const below =
  'Below a path of an existing server: include almanac-maps.conf in the http block and ' +
  'almanac-location.conf in that server';

function nginxValues(location: SiteLocation): Record<string, string> {
  const { mount, baseUrl } = location;
  const { hostname, port } = new URL(baseUrl);
  const names = nameFor(mount);
  return {
    names,
    root: JSON.stringify(quotableFolder(location, 'nginx', /[$\p{Cc}]/u)),
    // For https, a proxy terminates TLS, or certbot adds it here.
    port: baseUrl.startsWith('http:') && port !== '' ? port : '80',
    serverName: hostname,
    mount,
    decodedMount: decodeSegment(mount),
    mountPattern: mountPattern(mount),
    headers: fillTemplate('nginx/headers.conf', { names }).trimEnd(),
    feedPattern: formats.feed.file.replace('.', '\\.'),
    feedType: formats.feed.mediaType,
    ...typeMap(),
    ...staticProblems(baseUrl),
  };
}

/**
 * nginx adds the charset itself: to text/html always, to other types if charset_types names them.
 */
function typeMap() {
  const types = Object.entries(contentTypes).map(
    ([ending, type]) => [ending, type.split(';', 1)[0] ?? ''] as const,
  );
  const charsetTypes = types
    .map(([, type]) => type)
    .filter((type) => /^text\/(?!html$)/.test(type));
  return {
    types: types.map(([ending, type]) => `        ${type} ${ending};`).join('\n'),
    charsetTypes: charsetTypes.join(' '),
  };
}

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  unsupported: ['limit', 'upcoming', 'problems', 'accept'],
  testedWith: 'Caddy 2.6 of Debian',
  steps: ({ mount }) => [
    'A server of its own: run caddy run in that folder',
    ...(mount === ''
      ? []
      : ['Below a path of an existing server: import almanac.caddy in its site block']),
  ],
  files: (location) => {
    const rules = fillTemplate('caddy/site.caddy', {
      site: quotableFolder(location, 'Caddy', /[{}`\p{Cc}]/u),
      name: nameFor(location.mount),
      mount: location.mount,
      mountPattern: mountPattern(location.mount),
      decodedMount: encodeURI(decodeSegment(location.mount)),
      types: unusualTypes.map(caddyType).join('\n'),
      ...staticProblems(location.baseUrl),
    });
    const values = {
      address: addressOf(location.baseUrl),
      mount: location.mount,
      rules: indent(rules, '\t'),
    };
    return {
      Caddyfile: fillTemplate('caddy/Caddyfile', values),
      ...(location.mount !== '' && { 'almanac.caddy': rules }),
    };
  },
};

/**
 * Returns the address of a site block: for https on the usual port the host, which gets a
 * certificate.
 */
function addressOf(baseUrl: string): string {
  const { protocol, host, port, origin } = new URL(baseUrl);
  if (protocol === 'https:' && port === '') return host;
  return origin;
}

function caddyType([end, type]: readonly [string, string]): string {
  const matcher = end.replace(/\W/g, '');
  return `\t\t@${matcher} path *${end}\n\t\theader @${matcher} Content-Type "${type}"`;
}

/** Returns a regular expression that matches the path of a base URL and nothing else. */
function mountPattern(mount: string): string {
  return decodeSegment(mount).replace(/[^\w/\u0080-\u{10ffff}-]/gu, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

/**
 * Returns how the names in a configuration begin: differently for each catalogue, and short, for
 * PCRE.
 */
function nameFor(mount: string): string {
  if (mount === '') return 'almanac';
  let sum = 0;
  for (const byte of Buffer.from(mount)) sum = (Math.imul(sum, 31) + byte) >>> 0;
  return `almanac_${sum.toString(16)}`;
}

/**
 * The problem documents that a web server answers without running code, so they cannot quote the
 * request.
 */
function staticProblems(baseUrl: string) {
  const repeated = 'A parameter is given more than once; give it once.';
  const method = 'This interface is read with GET, HEAD or OPTIONS.';
  return {
    repeatedProblem: JSON.stringify(problemDocument(baseUrl, 'repeated-parameter', repeated)),
    methodProblem: JSON.stringify(problemDocument(baseUrl, 'method-not-allowed', method)),
  };
}

/**
 * Returns the folder of a site. Throws the problem `site-path-refused` if it contains a special
 * character.
 */
function quotableFolder({ site }: SiteLocation, host: string, special: RegExp): string {
  const character = special.exec(site)?.[0];
  if (character === undefined) return site;
  throw problemError({
    code: 'site-path-refused',
    site,
    host,
    character,
  });
}
