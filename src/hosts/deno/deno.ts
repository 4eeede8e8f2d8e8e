import { readPackageFile } from '../../system/package.ts';
import type { Host } from '../host.ts';
import { fillTemplate, relativeAddress } from '../template.ts';

export const deno: Host = {
  name: 'deno',
  title: 'Deno',
  unsupported: [],
  testedWith: 'Deno 2.9.5',
  steps: () => ['Run PORT=8080 deno run --allow-net --allow-read --allow-env server.mjs in that folder'],
  files: ({ relativeSite, mount }) => ({
    'handler.mjs': readPackageFile('lib/bundle/server/handler.js'),
    'site-folder.mjs': readPackageFile('lib/bundle/server/site-folder.js'),
    'server.mjs': fillTemplate('deno/server.mjs', { siteAddress: relativeAddress(relativeSite), mount }),
  }),
};
