import { contentTypes, namedTypes } from '../../api/content-types.ts';
import type { Host } from '../host.ts';
import { fillTemplate } from '../template.ts';
import { mountPattern, staticProblems } from '../web-server.ts';

export const apache: Host = {
  name: 'apache',
  title: 'Apache httpd',
  unsupported: ['encoding', 'limit', 'upcoming', 'problems', 'methods', 'accept'],
  testedWith: 'Apache 2.4 of Debian',
  steps: () => [
    'Put .htaccess into public/ next to the data folder; every build copies it into the site',
    'Enable the modules rewrite and headers, and set AllowOverride FileInfo Indexes Options=All,MultiViews for the folder',
  ],
  files: ({ baseUrl, mount }) => ({
    '.htaccess': fillTemplate('apache/htaccess', {
      mount,
      // In the target of a rule, % and a digit name a group of a condition.
      target: mount.replaceAll('%', String.raw`\%`),
      mountPattern: mountPattern(mount),
      types: Object.entries(contentTypes)
        .map(([ending, type]) => `AddType "${type}" .${ending}`)
        .join('\n'),
      namedTypes: Object.entries(namedTypes)
        .map(([name, type]) => `<Files "${name}">\n    ForceType ${type}\n</Files>`)
        .join('\n'),
      ...staticProblems(baseUrl),
    }),
  }),
};
