import type { SiteSize } from '../api/site-file.ts';
import { ProblemError, type Problem } from '../problem/problem.ts';
import { caddy } from './caddy/caddy.ts';
import { cloudflare } from './cloudflare/cloudflare.ts';
import { cloudfront } from './cloudfront/cloudfront.ts';
import { githubPages } from './github-pages/github-pages.ts';
import { gitlabPages } from './gitlab-pages/gitlab-pages.ts';
import type { Host } from './host.ts';
import { netlify } from './netlify/netlify.ts';
import { nginx } from './nginx/nginx.ts';
import { node } from './node/node.ts';
import { s3 } from './s3/s3.ts';
import { vercel } from './vercel/vercel.ts';

export const hosts: readonly Host[] = [
  cloudflare,
  node,
  nginx,
  caddy,
  cloudfront,
  netlify,
  vercel,
  githubPages,
  gitlabPages,
  s3,
];

/** The names of the hosts, with their aliases. */
export const hostNames: readonly string[] = namesOf(hosts);

/** Returns the host of a name or an alias. Throws the problem `unknown-host`. */
export async function findHost(name: string): Promise<Host> {
  const host = hosts.find((candidate) => namesOf([candidate]).includes(name));
  if (host !== undefined) return host;
  const { nearest } = await import('../problem/nearest.ts');
  throw new ProblemError([
    { code: 'unknown-host', place: null, found: name, nearest: nearest(name, hostNames), allowed: hostNames },
  ]);
}

function namesOf(some: readonly Host[]): string[] {
  return some.flatMap(({ name, alias }) => [name, alias ?? []].flat());
}

/** Returns a problem for each limit of a host that a site exceeds. */
export function checkSize({ title, limits }: Host, { files, bytes, largest }: SiteSize): Problem[] {
  if (limits === undefined) return [];
  const measures = [
    { what: 'files', found: files, most: limits.files },
    { what: 'bytes', found: bytes, most: limits.bytes },
    { what: 'bytes in one file', found: largest, most: limits.fileBytes },
  ];
  return measures.flatMap(({ what, found, most }): Problem[] =>
    most === undefined || found <= most
      ? []
      : [{ code: 'site-too-large', place: null, host: title, what, found, most, source: limits.source }],
  );
}
