import { root } from '../../api/paths.ts';
import { idSource } from '../../catalogue/id.ts';
import { decodeSegment } from '../../server/query.ts';
import type { HostFiles, SiteAt } from './host.ts';

export const files: HostFiles = ({ mount, relativeSite }) => {
  const outputDirectory = outputAt(relativeSite, mount);
  const config = { framework: null, buildCommand: null, outputDirectory, routes: routes(mount) };
  return { 'vercel.json': `${JSON.stringify(config, null, 2)}\n` };
};

/** The folder that Vercel serves as the root of the host: what holds the site at the path of the base URL. */
function outputAt(relativeSite: string, mount: SiteAt['mount']): string {
  const [site, path] = [`/${relativeSite}`, decodeSegment(mount)];
  return site.endsWith(path) ? site.slice(1, site.length - path.length) || '.' : relativeSite;
}

const query = (key: string, value: string) => ({ type: 'query', key, value });
const is = (key: string) => query(key, `(?<${key}>${idSource})`);
const any = (key: string) => query(key, '.+');

/** Routes, and not rewrites: these go before the files, and `events` is one. */
function routes(mount: SiteAt['mount']): object[] {
  const at = `${mount}/${root}`;
  const start = `^${mount.replace(/[.*+?[\]]/g, '\\$&')}`;
  const from = (operation: string) => `${start}/${root}/${operation}(?:\\.json|/)?$`;
  const missing = { status: 404, dest: `${mount}/404.json` };
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag',
    'Cache-Control': 'public, max-age=300',
  };
  const bare = {
    src: `${start}$`,
    status: 308,
    headers: { ...headers, Location: `${mount}/`, 'Cache-Control': 'public, max-age=60' },
  };
  return [
    { src: `${start}/.*$`, headers, continue: true },
    ...(mount === '' ? [] : [bare]),
    {
      src: from('events'),
      has: [is('category'), is('genre')],
      dest: `${at}/category/$category/genre/$genre/events.json`,
    },
    { src: from('events'), has: [any('category'), any('genre')], ...missing },
    { src: from('events'), has: [is('category')], dest: `${at}/category/$category/events.json` },
    { src: from('events'), has: [any('category')], ...missing },
    { src: from('events'), has: [is('genre')], dest: `${at}/genre/$genre/events.json` },
    { src: from('events'), has: [any('genre')], ...missing },
    { src: from('events'), dest: `${at}/events.json` },
    { src: from('genres'), has: [is('category')], dest: `${at}/category/$category/genres.json` },
    { src: from('genres'), has: [any('category')], ...missing },
    { src: from('genres'), dest: `${at}/genres.json` },
    { src: from('categories'), dest: `${at}/categories.json` },
    { src: `${start}/${root}/?$`, dest: `${at}/index.json` },
    { handle: 'filesystem' },
    { src: `${start}/.*$`, ...missing },
  ];
}
