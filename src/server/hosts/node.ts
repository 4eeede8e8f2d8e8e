import { readBundle } from '../bundle.ts';
import type { HostFiles } from './host.ts';

export const files: HostFiles = ({ relativeSite, mount }) => ({
  'handler.mjs': readBundle('handler'),
  'node-server.mjs': readBundle('node-server'),
  'server.mjs': `import { serve } from "./node-server.mjs";

serve(new URL(${JSON.stringify(`${relativeSite}/`)}, import.meta.url), ${JSON.stringify(mount)});
`,
});
