import { expect, onTestFinished, test } from 'vitest';
import { readQuery } from '../../src/server/request.ts';
import { engines } from './engines.ts';
import { buildSite } from './site.ts';

test.each(['genre=a&genre=', 'genre=%22%0A&genre=b+c', `category=${'x'.repeat(100)}&category=1&category=2&category=3`])(
  'the CloudFront function and the handler respond to %s with the same problem detail',
  async (query) => {
    const site = await buildSite('https://example.org');
    onTestFinished(site.remove);
    const running = await engines['cloudfront']?.(site);
    const answer = await running?.ask(`api/v1/events?${query}`, 'GET', {});
    const { detail } = JSON.parse(answer?.text ?? '{}') as { detail: string };
    expect({ problem: 'repeated-parameter', detail }).toEqual(readQuery('events', query));
  },
);
