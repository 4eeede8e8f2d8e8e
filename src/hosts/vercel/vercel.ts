import { decodeSegment } from '../../catalogue/url.ts';
import { formatTypes } from '../format-types.ts';
import type { Host, SiteLocation } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const vercel: Host = {
  name: 'vercel',
  title: 'Vercel',
  unsupported: ['repeats', 'limit', 'upcoming', 'problems', 'methods', 'accept'],
  untested: ['paths', 'base', 'spellings', 'filters', 'empties', 'encoding', 'pages', 'caching', 'etags', 'cors'],
  testedWith: '@vercel/routing-utils 6.6.0, which only checks the form of the rules',
  limits: { files: 15_000, source: 'https://vercel.com/docs/limits' },
  steps: () => [
    'vercel.json belongs in the folder that you deploy from: --to . writes it there',
    'If the base URL has a path such as /almanac, build into a folder that ends with it: --out public/almanac for build and host',
  ],
  // Its routes come before the files, unlike rewrites: `events` is both a file and a route.
  files: (location) => {
    const mountPattern = location.mount.replace(/[.*+?[\]]/g, '\\$&');
    const values = { outputDirectory: outputDirectory(location), mount: location.mount, mountPattern };
    const config = JSON.parse(fillTemplate('vercel/vercel.json', values)) as { routes: object[] };
    const routes = [...formatTypes.map(([end, type]) => typeRoute(mountPattern, end, type)), ...config.routes];
    return { 'vercel.json': `${JSON.stringify({ ...config, routes }, null, 2)}\n` };
  },
};

function typeRoute(mountPattern: string, end: string, type: string): object {
  return { src: `^${mountPattern}/.*${end.replace('.', '\\.')}$`, headers: { 'Content-Type': type }, continue: true };
}

/** The folder that Vercel serves as the root of the host, so that the site is at the path of the base URL. */
function outputDirectory({ relativeSite, mount }: SiteLocation): string {
  const [site, path] = [`/${relativeSite}`, decodeSegment(mount)];
  return site.endsWith(path) ? site.slice(1, site.length - path.length) || '.' : relativeSite;
}
