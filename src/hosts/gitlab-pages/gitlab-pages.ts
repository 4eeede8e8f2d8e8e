import { filesAlone, type Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const gitlabPages: Host = {
  name: 'gitlab-pages',
  title: 'GitLab Pages',
  ...filesAlone,
  steps: () => [
    'Put .gitlab-ci.yml into the root of the repository (--to . writes it there), and push',
    'Add a pipeline schedule for every day: 17 12 * * * in UTC',
  ],
  files: () => ({ '.gitlab-ci.yml': fillTemplate('gitlab-pages/gitlab-ci.yml', {}) }),
};
