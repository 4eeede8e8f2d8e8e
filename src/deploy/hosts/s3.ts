import { noteFor } from './note.ts';

export const files = noteFor('Amazon S3 and other buckets', [
  'Set the type of the extensionless `api/v1/categories`, `genres` and `events` to application/json as you upload them.',
  'Allow every origin to GET in the CORS rules of the bucket, and expose ETag.',
  'Put the function of `almanac host cloudfront` before the bucket to have the filters of the query form as well.',
]);
