import { filesAlone, type Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const codeberg: Host = {
  name: 'codeberg',
  title: 'Codeberg Pages',
  ...filesAlone,
  limits: null,
  steps: [
    'Put .woodpecker.yaml into the root of the repository (--to . writes it there), and push',
    'In Woodpecker, add the secret token and a cron job for every day: 17 12 * * * in UTC',
  ],
  files: ({ baseUrl }) => ({ '.woodpecker.yaml': fillTemplate('codeberg/woodpecker.yaml', { baseUrl }) }),
};
