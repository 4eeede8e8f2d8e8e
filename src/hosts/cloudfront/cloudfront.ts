import { problemDocument } from '../../api/problems.ts';
import type { Host } from '../host.ts';
import { s3 } from '../s3/s3.ts';
import { fillTemplate } from '../template.ts';

export const cloudfront: Host = {
  name: 'cloudfront',
  title: 'Amazon CloudFront before S3',
  unsupported: ['limit', 'upcoming', 'problems', 'methods', 'accept'],
  untested: ['pages', 'caching', 'etags', 'cors'],
  testedWith: 'the function in node:vm, before a bucket of files',
  limits: s3.limits,
  steps: () => [
    'Create a CloudFront function of runtime cloudfront-js-2.0 from viewer-request.js, for viewer requests',
    'Follow the guide in docs/deploy.md: a command of the AWS CLI for each step, from the bucket to the permissions of GitHub',
    'If the base URL has a path, publish below it: s3://bucket/path',
  ],
  files: ({ mount, baseUrl }) => {
    const { type, title } = problemDocument(baseUrl, 'repeated-parameter', '');
    const values = { mount, problemType: type, problemTitle: title };
    return { 'viewer-request.js': fillTemplate('cloudfront/viewer-request.js', values) };
  },
};
