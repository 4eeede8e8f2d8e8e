import { filesAlone, type Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const codeberg: Host = {
  name: 'codeberg',
  title: 'Codeberg Pages',
  ...filesAlone,
  steps: () => [
    'In the repository, turn on Settings -> Units -> Overview -> Actions',
    'Put .forgejo/ into the root of the repository (--to . writes it there), and push',
  ],
  files: ({ baseUrl }) => {
    const isSubdomain = new URL(baseUrl).hostname.endsWith('.codeberg.page');
    const values = { baseUrl, server: isSubdomain ? '' : 'codeberg.page' };
    return { '.forgejo/workflows/publish.yaml': fillTemplate('codeberg/publish.yaml', values) };
  },
};
