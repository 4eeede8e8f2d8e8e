import { noteFor } from './note.ts';

export const files = noteFor('GitHub Pages', [
  'Upload dist/ as the Pages artifact of a workflow. A project site has a path: build with `--base-url https://NAME.github.io/REPOSITORY`.',
  'The extensionless `api/v1/events` is served as application/octet-stream; scripts can read it, browsers offer to save it.',
]);
