import { filesAlone, type Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const githubPages: Host = {
  name: 'github-pages',
  title: 'GitHub Pages',
  ...filesAlone,
  limits: {
    bytes: 1_000_000_000,
    fileBytes: 100_000_000,
    source: 'https://docs.github.com/en/pages/getting-started-with-github-pages/github-pages-limits',
  },
  steps: () => ['Upload dist/ as the Pages artifact; no other file is needed'],
  files: () => ({ 'README.md': fillTemplate('github-pages/README.md', {}) }),
};
