import { formatTypes } from '../format-types.ts';
import type { Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const netlify: Host = {
  name: 'netlify',
  title: 'Netlify',
  unsupported: ['empties', 'repeats', 'encoding', 'limit', 'upcoming', 'problems', 'methods', 'accept'],
  untested: ['base', 'pages', 'caching', 'etags', 'cors'],
  testedWith: "netlify-redirector 0.5.0, Netlify's own matcher",
  steps: () => [
    'Copy both files and the contents of dist/ into one folder, and publish that folder',
    'If the base URL has a path, copy dist/ below that path in the folder, and both files to its top',
  ],
  files: ({ mount }) => ({
    _redirects: fillTemplate('netlify/_redirects', { mount }),
    _headers: fillTemplate('netlify/_headers', { mount, types: formatTypes.map(typeAt(mount)).join('\n\n') }),
  }),
};

function typeAt(mount: string) {
  return ([end, type]: readonly [string, string]): string => `${mount}/*${end}\n  Content-Type: ${type}`;
}
