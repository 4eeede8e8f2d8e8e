import { formatTypes } from '../../../api/content-types.ts';
import { decodeSegment } from '../../../catalogue/url.ts';
import type { Host } from '../host.ts';
import { fillTemplate } from '../template.ts';
import { mountPattern, quotableFolder, staticProblems } from '../web-server.ts';

export const caddy: Host = {
  name: 'caddy',
  title: 'Caddy',
  unsupported: ['limit', 'upcoming', 'problems', 'accept'],
  untested: [],
  testedWith: 'Caddy 2.6 of Debian',
  limits: null,
  steps: ['Set the address in the first line, then run caddy run in that folder'],
  files: (location) => ({
    Caddyfile: fillTemplate('caddy/Caddyfile', {
      site: quotableFolder(location, 'Caddy', /[{}`\p{Cc}]/u),
      mount: location.mount,
      mountPattern: mountPattern(location.mount),
      decodedMount: encodeURI(decodeSegment(location.mount)),
      types: formatTypes.map(typeOf).join('\n'),
      ...staticProblems(location.baseUrl),
    }),
  }),
};

function typeOf([ending, type]: readonly [string, string]): string {
  return `\t\t@${ending} path *.${ending}\n\t\theader @${ending} Content-Type "${type}"`;
}
