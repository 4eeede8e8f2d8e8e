import { readPackageFile } from '../../system/package.ts';
import type { Host } from '../host.ts';
import { fillTemplate, relativeAddress } from '../template.ts';

export const bun: Host = {
  name: 'bun',
  title: 'Bun',
  unsupported: [],
  testedWith: 'Bun 1.4.5',
  steps: () => ['Run PORT=8080 bun server.mjs in that folder'],
  files: ({ relativeSite, mount }) => ({
    'handler.mjs': readPackageFile('lib/bundle/server/handler.js'),
    'site-folder.mjs': readPackageFile('lib/bundle/server/site-folder.js'),
    'server.mjs': fillTemplate('bun/server.mjs', { siteAddress: relativeAddress(relativeSite), mount }),
  }),
};
