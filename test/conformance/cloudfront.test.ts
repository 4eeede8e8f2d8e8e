import { expect, test } from 'vitest';
import { readQuery } from '../../src/server/request.ts';
import { engines } from './engines.ts';
import { buildSite } from './site.ts';

test('the CloudFront function and the handler respond with the same problem detail', async () => {
  const running = await engines['cloudfront']?.(await buildSite('https://example.org'));
  const long = `category=${'x'.repeat(100)}&category=1&category=2&category=3`;
  for (const query of ['genre=a&genre=', 'genre=%22%0A&genre=b+c', long]) {
    const answer = await running?.ask(`api/v1/events?${query}`, 'GET', {});
    const { detail } = JSON.parse(answer?.text ?? '{}') as { detail: string };
    expect({ problem: 'repeated-parameter', detail }).toEqual(readQuery('events', query));
  }
});
