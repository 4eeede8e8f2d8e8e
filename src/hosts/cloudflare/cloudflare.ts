import { readPackageFile } from '../../system/package.ts';
import type { Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const cloudflare: Host = {
  name: 'cloudflare',
  alias: 'worker',
  title: 'Cloudflare Workers',
  unsupported: [],
  testedWith: 'workerd, by miniflare 4.20260426.0',
  limits: {
    files: 20_000,
    fileBytes: 25 * 1024 * 1024,
    source: 'https://developers.cloudflare.com/workers/platform/limits/',
  },
  steps: () => ['Run npx wrangler deploy in that folder'],
  files: ({ relativeSite, mount, name }) => ({
    'worker.js': readPackageFile('lib/bundle/server/worker.js'),
    'wrangler.jsonc': fillTemplate('cloudflare/wrangler.jsonc', {
      relativeSite,
      mount,
      root: mount === '' ? '/' : '',
      name,
    }),
  }),
};
