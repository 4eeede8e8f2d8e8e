import { needingCode, type Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const s3: Host = {
  name: 's3',
  title: 'Amazon S3, R2 and other buckets',
  unsupported: needingCode,
  untested: ['base', 'spellings', 'caching', 'etags', 'cors'],
  testedWith: 'http-server, which also serves files alone',
  limits: {
    files: null,
    bytes: null,
    fileBytes: 5_000_000_000,
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html',
  },
  steps: [
    'Upload what is in dist/ to the bucket, below the path of the base URL if it has one; nothing stands beside it',
  ],
  files: () => ({ 'README.md': fillTemplate('s3/README.md', {}) }),
};
