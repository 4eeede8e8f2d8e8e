import { problemDocument } from '../api/problems.ts';
import type { SiteSize } from '../api/site-file.ts';
import { decodeSegment } from '../api/address.ts';
import { type Problem, problemError } from '../problem/problem.ts';
import { readPackageFile } from '../system/package.ts';
import { filesAlone, type Host, type SiteLocation } from './host.ts';
import { fillTemplate, unusualTypes } from './template.ts';
import { caddy, nginx } from './web-servers.ts';

const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  unsupported: ['repeats', 'limit', 'upcoming', 'problems', 'methods', 'accept'],
  untested: [
    'paths',
    'base',
    'spellings',
    'filters',
    'empties',
    'encoding',
    'pages',
    'caching',
    'etags',
    'cors',
  ],
  testedWith: '@vercel/routing-utils 6.6.0, which only checks the form of the rules',
  limits: {
    files: 15_000,
    source: 'https://vercel.com/docs/limits',
  },
  steps: () => [
    `vercel.json belongs in the folder
    that you deploy from: --to . writes it there`,
    `If the base URL has a path such as /almanac,
    build into a folder that ends with it:
    --out public/almanac for build and host`,
  ],
  // Its routes come before the files, unlike rewrites: `events` is both a file and a route.
  files: (location) => {
    const mountPattern = location.mount.replace(/[.*+?[\]]/g, '\\$&');
    const values = {
      outputDirectory: outputDirectory(location),
      mount: location.mount,
      mountPattern,
    };
    const config = JSON.parse(fillTemplate('vercel/vercel.json', values)) as { routes: object[] };
    const types = unusualTypes.map(([end, type]) => {
      const src = `^${mountPattern}/.*${end.replace('.', '\\.')}$`;
      return {
        src,
        headers: { 'Content-Type': type },
        continue: true,
      };
    });
    const routes = [...types, ...config.routes];
    return { 'vercel.json': `${JSON.stringify({ ...config, routes }, null, 2)}\n` };
  },
};

/**
 * The folder that Vercel serves as the root of the host, so that the site is at the path of the
 * base URL.
 */
function outputDirectory({ relativeSite, mount }: SiteLocation): string {
  const site = `/${relativeSite}`;
  const path = decodeSegment(mount);
  if (site.endsWith(path)) return site.slice(1, site.length - path.length) || '.';
  return relativeSite;
}

const s3Limits = {
  fileBytes: 5_000_000_000,
  source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html',
};

/** Every host. The templates of its files are in the folder of its name. */
export const hosts: readonly Host[] = [
  {
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
  },
  {
    name: 'node',
    title: 'Node.js, anywhere',
    unsupported: [],
    testedWith: 'the server as written',
    steps: () => ['Run PORT=8080 node server.mjs in that folder'],
    files: ({ relativeSite, mount }) => ({
      'handler.mjs': readPackageFile('lib/bundle/server/handler.js'),
      'node-server.mjs': readPackageFile('lib/bundle/server/node.js'),
      'server.mjs': fillTemplate('node/server.mjs', {
        siteAddress: `${relativeSite.split('/').map(encodeURIComponent).join('/')}/`,
        mount,
      }),
    }),
  },
  nginx,
  caddy,
  {
    name: 'cloudfront',
    title: 'Amazon CloudFront before S3',
    unsupported: ['limit', 'upcoming', 'problems', 'methods', 'accept'],
    untested: ['pages', 'caching', 'etags', 'cors'],
    testedWith: 'the function in node:vm, before a bucket of files',
    limits: s3Limits,
    steps: () => [
      `Create a CloudFront function of runtime
      cloudfront-js-2.0 from viewer-request.js,
      for viewer requests`,
      `Follow the guide in docs/deploy.md:
      a command of the AWS CLI for each step,
      from the bucket to the permissions of GitHub`,
      'If the base URL has a path, publish below it: s3://bucket/path',
    ],
    files: ({ mount, baseUrl }) => {
      const { type, title } = problemDocument(baseUrl, 'repeated-parameter', '');
      const values = {
        mount,
        problemType: type,
        problemTitle: title,
      };
      return { 'viewer-request.js': fillTemplate('cloudfront/viewer-request.js', values) };
    },
  },
  {
    name: 'netlify',
    title: 'Netlify',
    unsupported: [
      'empties',
      'repeats',
      'encoding',
      'limit',
      'upcoming',
      'problems',
      'methods',
      'accept',
    ],
    untested: ['base', 'pages', 'caching', 'etags', 'cors'],
    testedWith: "netlify-redirector 0.5.0, Netlify's own matcher",
    steps: () => [
      `Copy both files and the contents of dist/
      into one folder, and publish that folder`,
      `If the base URL has a path,
      copy dist/ below that path in the folder,
      and both files to its top`,
    ],
    files: ({ mount }) => ({
      _redirects: fillTemplate('netlify/_redirects', { mount }),
      _headers: fillTemplate('netlify/_headers', {
        mount,
        types: unusualTypes
          .map(([end, type]) => `${mount}/*${end}\n  Content-Type: ${type}`)
          .join('\n\n'),
      }),
    }),
  },
  vercel,
  {
    name: 'github-pages',
    title: 'GitHub Pages',
    ...filesAlone,
    limits: {
      bytes: 1_000_000_000,
      fileBytes: 100_000_000,
      source:
        'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits',
    },
    steps: () => ['Upload dist/ as the Pages artifact; no other file is needed'],
    files: () => ({ 'README.md': fillTemplate('github-pages/README.md', {}) }),
  },
  {
    name: 'gitlab-pages',
    title: 'GitLab Pages',
    ...filesAlone,
    steps: () => [
      `Put .gitlab-ci.yml into the root of the repository
      (--to . writes it there), and push`,
      'Add a pipeline schedule for every day: 17 12 * * * in UTC',
    ],
    files: () => ({ '.gitlab-ci.yml': fillTemplate('gitlab-pages/gitlab-ci.yml', {}) }),
  },
  {
    name: 's3',
    title: 'Amazon S3, R2 and other buckets',
    ...filesAlone,
    limits: s3Limits,
    steps: () => [
      `Run almanac publish s3://BUCKET,
      or s3://BUCKET/path below the path
      of the base URL;
      no other file is needed`,
    ],
    files: () => ({ 'README.md': fillTemplate('s3/README.md', {}) }),
  },
];

export const hostNames: readonly string[] = hosts.flatMap(({ name, alias = [] }) =>
  [name, alias].flat(),
);

/** Returns the host of a name or an alias. Throws the problem `unknown-host`. */
export async function findHost(name: string): Promise<Host> {
  const host = hosts.find((candidate) => name === candidate.name || name === candidate.alias);
  if (host !== undefined) return host;
  const { nearest } = await import('../problem/nearest.ts');
  throw problemError({
    code: 'unknown-host',
    found: name,
    nearest: nearest(name, hostNames),
    allowed: hostNames,
  });
}

/** Returns a problem for each limit of a host that a site exceeds. */
export function checkSize({ title, limits }: Host, { files, bytes, largest }: SiteSize): Problem[] {
  if (limits === undefined) return [];
  const measures = [
    { what: 'files', found: files, most: limits.files },
    { what: 'bytes', found: bytes, most: limits.bytes },
    {
      what: 'bytes in one file',
      found: largest,
      most: limits.fileBytes,
    },
  ];
  return measures.flatMap(({ what, found: size, most }): Problem[] =>
    most === undefined || size <= most
      ? []
      : [
          {
            code: 'site-too-large',
            place: null,
            host: title,
            what,
            found: size,
            most,
            source: limits.source,
          },
        ],
  );
}
