import { readBundle } from '../bundle.ts';
import type { HostFiles } from './host.ts';

/** As a part of an address, in which `#`, `?` and `%` mean something else than in the name of a folder. */
const addressOf = (folder: string): string => `${folder.split('/').map(encodeURIComponent).join('/')}/`;

export const files: HostFiles = ({ relativeSite, mount }) => ({
  'handler.mjs': readBundle('handler'),
  'node-server.mjs': readBundle('node-server'),
  'server.mjs': `import { serve } from "./node-server.mjs";

serve(new URL(${JSON.stringify(addressOf(relativeSite))}, import.meta.url), ${JSON.stringify(mount)});
`,
});
