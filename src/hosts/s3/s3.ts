import { filesAlone, type Host } from '../host.ts';
import { fillTemplate } from '../template.ts';

export const s3: Host = {
  name: 's3',
  title: 'Amazon S3, R2 and other buckets',
  ...filesAlone,
  limits: {
    fileBytes: 5_000_000_000,
    source: 'https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html',
  },
  steps: () => [
    'Run almanac publish s3://BUCKET, or s3://BUCKET/path below the path of the base URL; no other file is needed',
  ],
  files: () => ({ 'README.md': fillTemplate('s3/README.md', {}) }),
};
