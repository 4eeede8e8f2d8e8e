import { decodeSegment } from '../../catalogue/url.ts';
import { formatTypes } from '../format-types.ts';
import type { Host } from '../host.ts';
import { fillTemplate, indent } from '../template.ts';
import { mountPattern, nameFor, quotableFolder, staticProblems } from '../web-server.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  unsupported: ['limit', 'upcoming', 'problems', 'accept'],
  testedWith: 'Caddy 2.6 of Debian',
  steps: ({ mount }) => [
    'A server of its own: run caddy run in that folder',
    ...(mount === '' ? [] : ['Below a path of an existing server: import almanac.caddy in its site block']),
  ],
  files: (location) => {
    const rules = fillTemplate('caddy/site.caddy', {
      site: quotableFolder(location, 'Caddy', /[{}`\p{Cc}]/u),
      name: nameFor(location.mount),
      mount: location.mount,
      mountPattern: mountPattern(location.mount),
      decodedMount: encodeURI(decodeSegment(location.mount)),
      types: formatTypes.map(typeOf).join('\n'),
      ...staticProblems(location.baseUrl),
    });
    const values = { address: addressOf(location.baseUrl), mount: location.mount, rules: indent(rules, '\t') };
    return {
      Caddyfile: fillTemplate('caddy/Caddyfile', values),
      ...(location.mount !== '' && { 'almanac.caddy': rules }),
    };
  },
};

/** Returns the address of a site block: for https on the usual port the host, which gets a certificate. */
function addressOf(baseUrl: string): string {
  const { protocol, host, port, origin } = new URL(baseUrl);
  return protocol === 'https:' && port === '' ? host : origin;
}

function typeOf([end, type]: readonly [string, string]): string {
  const matcher = end.replace(/\W/g, '');
  return `\t\t@${matcher} path *${end}\n\t\theader @${matcher} Content-Type "${type}"`;
}
