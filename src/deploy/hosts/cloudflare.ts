import { readPackageFile } from '../../system/package.ts';
import type { HostFiles } from './host.ts';

export const files: HostFiles = ({ relativeSite, mount }) => ({
  'worker.js': readPackageFile('lib/bundle/server/worker.js'),
  'wrangler.jsonc': `{
  // The worker answers every request; the site is its assets. Deploy with: npx wrangler deploy
  "name": "almanac",
  "main": "worker.js",
  "compatibility_date": "2026-04-01",
  "assets": {
    "directory": ${JSON.stringify(relativeSite)},
    "binding": "ASSETS",
    // The worker knows the paths; the assets are to be taken as they are named, and never before it.
    "html_handling": "none",
    "not_found_handling": "none",
    "run_worker_first": true
  },
  // The path of the base URL; empty at the root of the host.
  "vars": { "MOUNT": ${JSON.stringify(mount)} }
}
`,
});
