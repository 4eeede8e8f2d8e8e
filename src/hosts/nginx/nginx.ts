import { contentTypes } from '../../api/content-types.ts';
import { formats } from '../../api/formats.ts';
import { decodeSegment } from '../../catalogue/url.ts';
import type { Host, SiteLocation } from '../host.ts';
import { fillTemplate, indent } from '../template.ts';
import { mountPattern, nameFor, quotableFolder, staticProblems } from '../web-server.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  unsupported: ['encoding', 'limit', 'upcoming', 'problems', 'accept'],
  testedWith: 'nginx 1.22 of Debian',
  steps: ({ mount }) => [
    'A server of its own: include almanac.conf in the http block, and reload nginx',
    ...(mount === '' ? [] : [below]),
  ],
  files: (location) => {
    const values = valuesOf(location);
    const [maps, inServer] = ['maps', 'location'].map((part) => fillTemplate(`nginx/${part}.conf`, values));
    const server = fillTemplate('nginx/server.conf', { ...values, location: indent(inServer ?? '', '    ') });
    const whole = `# Answers the filters of the query form with files of the site. Ignores limit.\n${maps}\n${server}`;
    return {
      'almanac.conf': whole,
      ...(location.mount !== '' && { 'almanac-maps.conf': maps ?? '', 'almanac-location.conf': inServer ?? '' }),
    };
  },
};

const below =
  'Below a path of an existing server: include almanac-maps.conf in the http block and ' +
  'almanac-location.conf in that server';

function valuesOf(location: SiteLocation): Record<string, string> {
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

/** nginx adds the charset itself: to text/html always, to other types if charset_types names them. */
function typeMap() {
  const types = Object.entries(contentTypes).map(([ending, type]) => [ending, type.split(';', 1)[0] ?? ''] as const);
  const named = types.map(([, type]) => type).filter((type) => /^text\/(?!html$)/.test(type));
  return {
    types: types.map(([ending, type]) => `        ${type} ${ending};`).join('\n'),
    charsetTypes: named.join(' '),
  };
}
