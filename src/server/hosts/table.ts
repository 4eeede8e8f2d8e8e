import { nearest } from '../../nearest.ts';
import { ProblemError } from '../../problem.ts';
import { filesAlone, type Host } from './host.ts';

/** The hosts that almanac knows, a row each; the file of the same name writes what the host needs. */
export const hosts: readonly Host[] = [
  {
    name: 'cloudflare',
    alias: 'worker',
    title: 'Cloudflare Workers',
    lacks: [],
    untested: [],
    testedWith: 'workerd, by miniflare 4.20260426.0',
    limits: {
      files: 20_000,
      bytes: null,
      fileBytes: 25 * 1024 * 1024,
      source: 'https://developers.cloudflare.com/workers/platform/limits/',
    },
    steps: ['npx wrangler deploy, in that folder'],
    files: async () => (await import('./cloudflare.ts')).files,
  },
  {
    name: 'node',
    title: 'Node.js, anywhere',
    lacks: [],
    untested: [],
    testedWith: 'the server as written',
    limits: null,
    steps: ['PORT=8080 node server.mjs, in that folder'],
    files: async () => (await import('./node.ts')).files,
  },
  {
    name: 'nginx',
    title: 'nginx',
    lacks: ['encoding', 'limit', 'upcoming', 'problems', 'accept'],
    untested: [],
    testedWith: 'nginx 1.22 of Debian',
    limits: null,
    steps: ['Include almanac.conf in the http block, set listen and server_name, and reload nginx'],
    files: async () => (await import('./nginx.ts')).files,
  },
  {
    name: 'caddy',
    title: 'Caddy',
    lacks: ['limit', 'upcoming', 'problems', 'accept'],
    untested: [],
    testedWith: 'Caddy 2.6 of Debian',
    limits: null,
    steps: ['Set the address in the first line, and caddy run, in that folder'],
    files: async () => (await import('./caddy.ts')).files,
  },
  {
    name: 'cloudfront',
    title: 'Amazon CloudFront before S3',
    lacks: ['limit', 'upcoming', 'problems', 'methods', 'accept'],
    untested: ['caching', 'etags', 'cors'],
    testedWith: 'the function in node:vm, before a bucket of files',
    limits: {
      files: null,
      bytes: null,
      fileBytes: 5_000_000_000,
      source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html',
    },
    steps: [
      'Create a CloudFront function of runtime cloudfront-js-2.0 from viewer-request.js, for viewer requests',
      'Forward no query to the bucket; answer its 403 and 404 with 404.json at the base URL and status 404',
      'Set a CORS response headers policy: every origin, ETag exposed',
      'Where the base URL has a path, publish below it: s3://bucket/path',
    ],
    files: async () => (await import('./cloudfront.ts')).files,
  },
  {
    name: 'netlify',
    title: 'Netlify',
    lacks: ['empties', 'repeats', 'encoding', 'limit', 'upcoming', 'problems', 'methods', 'accept'],
    untested: ['base', 'caching', 'etags', 'cors'],
    testedWith: "netlify-redirector 0.5.0, Netlify's own matcher",
    limits: null,
    steps: [
      'Copy both files and what is in dist/ into one folder, and publish that folder',
      'Where the base URL has a path, what is in dist/ goes below that path in it, and both files stay at its top',
    ],
    files: async () => (await import('./netlify.ts')).files,
  },
  {
    name: 'vercel',
    title: 'Vercel',
    lacks: ['repeats', 'limit', 'upcoming', 'problems', 'methods', 'accept'],
    untested: ['paths', 'base', 'spellings', 'filters', 'empties', 'encoding', 'caching', 'etags', 'cors'],
    testedWith: '@vercel/routing-utils 6.6.0, which checks the form of the rules and runs nothing',
    limits: { files: 15_000, bytes: null, fileBytes: null, source: 'https://vercel.com/docs/limits' },
    steps: [
      'vercel.json belongs at the root of what you deploy: --to . writes it there',
      'Where the base URL has a path, such as /almanac, give build and host an --out that ends with it, such as public/almanac',
    ],
    files: async () => (await import('./vercel.ts')).files,
  },
  {
    name: 'github-pages',
    title: 'GitHub Pages',
    lacks: filesAlone,
    untested: ['base', 'spellings', 'caching', 'etags', 'cors'],
    testedWith: 'http-server, which also serves files alone',
    limits: {
      files: null,
      bytes: 1_000_000_000,
      fileBytes: 100_000_000,
      source: 'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits',
    },
    steps: ['Upload dist/ as the Pages artifact; nothing stands beside it'],
    files: async () => (await import('./github-pages.ts')).files,
  },
  {
    name: 's3',
    title: 'Amazon S3, R2 and other buckets',
    lacks: filesAlone,
    untested: ['base', 'spellings', 'caching', 'etags', 'cors'],
    testedWith: 'http-server, which also serves files alone',
    limits: {
      files: null,
      bytes: null,
      fileBytes: 5_000_000_000,
      source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html',
    },
    steps: [
      'Upload what is in dist/ to the bucket, below the path of the base URL if it has one; nothing stands beside it',
    ],
    files: async () => (await import('./s3.ts')).files,
  },
];

/** The host of a name. Throws the problem `unknown-host`. */
export function findHost(name: string): Host {
  const host = hosts.find((candidate) => candidate.name === name || candidate.alias === name);
  if (host !== undefined) return host;
  const allowed = hosts.flatMap((candidate) => [candidate.name, candidate.alias ?? []].flat());
  const near = nearest(name, allowed);
  throw new ProblemError([{ code: 'unknown-host', place: null, found: name, nearest: near, allowed }]);
}
