import { contentTypes } from '../../../api/content-types.ts';
import type { Host } from '../host.ts';
import { fillTemplate } from '../template.ts';
import { mountPattern, quotableFolder, staticProblems } from '../web-server.ts';

export const nginx: Host = {
  name: 'nginx',
  title: 'nginx',
  unsupported: ['encoding', 'limit', 'upcoming', 'problems', 'accept'],
  untested: [],
  testedWith: 'nginx 1.22 of Debian',
  limits: null,
  steps: ['Set listen and server_name in almanac.conf, include it in the http block, and reload nginx'],
  files: (location) => ({
    'almanac.conf': fillTemplate('nginx/almanac.conf', {
      root: JSON.stringify(quotableFolder(location, 'nginx', /[$\p{Cc}]/u)),
      mount: location.mount,
      mountPattern: mountPattern(location.mount),
      ...typeMap(),
      ...staticProblems(location.baseUrl),
    }),
  }),
};

/** nginx adds the charset itself: to text/html always, to other types if charset_types names them. */
function typeMap() {
  const types = Object.entries(contentTypes).map(([ending, type]) => [ending, type.split(';', 1)[0] ?? ''] as const);
  const named = types.map(([, type]) => type).filter((type) => /^text\/(?!html$)/.test(type));
  return {
    types: types.map(([ending, type]) => `        ${type} ${ending};`).join('\n'),
    charsetTypes: named.join(' '),
  };
}
