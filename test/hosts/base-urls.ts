import { mountOf } from '../../src/api/address.ts';
import { findHost } from '../../src/hosts/table.ts';

/** Unusual base URLs that are allowed. */
export const allowed = [
  'http://127.0.0.1:8080',
  'http://[::1]:8080/a',
  'https://exämple.org/café',
  'https://xn--exmple-cua.org/a',
  'https://my_host.example/caf%c3%a9/É%C3%89',
  'https://example.org/a.b/-~_+*!&=@,',
  'https://example.org/%61lmanac/🌗/...',
];

/** Returns the files of a target for a base URL. */
export async function filesFor(
  name: string,
  baseUrl: string,
): Promise<Readonly<Record<string, string>>> {
  const place = { site: '/srv/site', relativeSite: '../site', name: 'sample' };
  return (await findHost(name)).files({ baseUrl, mount: mountOf(baseUrl), ...place });
}
