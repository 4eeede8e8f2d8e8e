import { readPackageFile } from '../../system/package.ts';
import type { Host } from '../host.ts';
import { fillTemplate, relativeAddress } from '../template.ts';

export const node: Host = {
  name: 'node',
  title: 'Node.js, anywhere',
  unsupported: [],
  testedWith: 'the server as written',
  steps: () => ['Run PORT=8080 node server.mjs in that folder'],
  files: ({ relativeSite, mount }) => ({
    'handler.mjs': readPackageFile('lib/bundle/server/handler.js'),
    'node-server.mjs': readPackageFile('lib/bundle/server/node.js'),
    'server.mjs': fillTemplate('node/server.mjs', { siteAddress: relativeAddress(relativeSite), mount }),
  }),
};
