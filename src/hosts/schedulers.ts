import type { Host } from './host.ts';
import { fillTemplate } from './template.ts';

/** A program that runs the parts of a build on many machines. */
export type Scheduler = Pick<Host, 'name' | 'alias' | 'title' | 'steps' | 'files'>;

function templates(folder: string, ...names: readonly string[]): Host['files'] {
  return ({ baseUrl, name }) =>
    Object.fromEntries(names.map((file) => [file, fillTemplate(`${folder}/${file}`, { baseUrl, name })]));
}

export const schedulers: readonly Scheduler[] = [
  {
    name: 'slurm',
    title: 'Slurm',
    steps: () => [
      'In the folder with data/: export NOW=$(date -u +%Y-%m-%dT%H:%M:%SZ) PARTS=/shared/parts/$NOW',
      'join=$(sbatch --parsable --dependency=afterany:$(sbatch --parsable parts.sbatch) join.sbatch)',
      'To publish to a bucket: export TARGET=s3://my-bucket, and the credentials of the bucket',
      'publish=$(sbatch --parsable --dependency=afterok:$join publish.sbatch)',
      'sbatch --dependency=afterok:$join,afterany:$publish finish.sbatch',
    ],
    files: templates('slurm', 'parts.sbatch', 'join.sbatch', 'publish.sbatch', 'finish.sbatch'),
  },
  {
    name: 'kubernetes',
    title: 'Kubernetes',
    steps: () => [
      'Put the image, the bucket and the time of this build into both files',
      'kubectl apply -f parts.yaml, and once that job is complete, kubectl apply -f join.yaml',
    ],
    files: templates('kubernetes', 'parts.yaml', 'join.yaml'),
  },
  {
    name: 'gitlab',
    title: 'GitLab CI',
    steps: () => ['Copy almanac-parts.gitlab-ci.yml next to .gitlab-ci.yml and include it there'],
    files: templates('gitlab', 'almanac-parts.gitlab-ci.yml'),
  },
  {
    name: 'github-actions',
    title: 'GitHub Actions',
    steps: () => ['Copy almanac-parts.yml to .github/workflows/ and call it from the workflow that publishes'],
    files: templates('github-actions', 'almanac-parts.yml'),
  },
];
