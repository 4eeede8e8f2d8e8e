import { AwsClient } from 'aws4fetch';
import type { S3Service } from '../setup/radosgw.ts';

/** Requests of a test to an S3 service. */
export interface S3 {
  readonly ask: (method: string, path: string, body?: string) => Promise<Response>;
  /** Creates a bucket that anyone may read. */
  readonly makeBucket: (name: string) => Promise<void>;
  readonly keys: (bucket: string) => Promise<string[]>;
}

export function clientOf({ endpoint, env }: S3Service): S3 {
  const client = new AwsClient({
    accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
    region: env['AWS_REGION'] ?? '',
    service: 's3',
    retries: 0,
  });
  const ask: S3['ask'] = async (method, path, body) =>
    client.fetch(`${endpoint}/${path}`, { method, ...(body !== undefined && { body }) });
  const require = async (method: string, path: string, body?: string): Promise<void> => {
    const answer = await ask(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  return {
    ask,
    makeBucket: async (name) => {
      await require('PUT', name);
      const Statement = [
        {
          Effect: 'Allow',
          Principal: '*',
          Action: ['s3:GetObject'],
          Resource: [`arn:aws:s3:::${name}/*`],
        },
        {
          Effect: 'Allow',
          Principal: '*',
          Action: ['s3:ListBucket'],
          Resource: [`arn:aws:s3:::${name}`],
        },
      ];
      await require('PUT', `${name}?policy`, JSON.stringify({ Version: '2012-10-17', Statement }));
    },
    keys: async (bucket) => {
      const text = await (await ask('GET', `${bucket}?list-type=2`)).text();
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);
    },
  };
}
