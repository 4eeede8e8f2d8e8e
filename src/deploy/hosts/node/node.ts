import { readPackageFile } from '../../../system/package.ts';
import type { Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const node: Host = {
  name: 'node',
  title: 'Node.js, anywhere',
  unsupported: [],
  untested: [],
  testedWith: 'the server as written',
  limits: null,
  steps: ['Run PORT=8080 node server.mjs in that folder'],
  files: ({ relativeSite, mount }) => ({
    'handler.mjs': readPackageFile('lib/bundle/server/handler.js'),
    'node-server.mjs': readPackageFile('lib/bundle/server/node.js'),
    'server.mjs': fillTemplate('node/server.mjs', { siteAddress: relativeAddress(relativeSite), mount }),
  }),
};

/** A relative URL of a folder, in which `#`, `?` and `%` are escaped. */
function relativeAddress(folder: string): string {
  return `${folder.split('/').map(encodeURIComponent).join('/')}/`;
}
