import { readPackageFile } from '../../system/package.ts';
import type { HostFiles } from './host.ts';

/** As a part of an address, in which `#`, `?` and `%` mean something else than in the name of a folder. */
const addressOf = (folder: string): string => `${folder.split('/').map(encodeURIComponent).join('/')}/`;

export const files: HostFiles = ({ relativeSite, mount }) => ({
  'handler.mjs': readPackageFile('lib/bundle/server/handler.js'),
  'node-server.mjs': readPackageFile('lib/bundle/server/node.js'),
  'server.mjs': `import { serve } from "./node-server.mjs";

serve(new URL(${JSON.stringify(addressOf(relativeSite))}, import.meta.url), ${JSON.stringify(mount)});
`,
});
