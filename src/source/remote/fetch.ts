import { BlockList, isIP, isIPv6 } from 'node:net';
import { ProblemError } from '../../problem/problem.ts';
import { request, type HttpResponse, type Timing } from '../../system/http.ts';
import { hasCredentials, parseUrl, withoutCredentials } from '../../catalogue/url.ts';
import { isSourceUrl } from '../../readers/schema/rules.ts';

export interface FetchLimits {
  /** Milliseconds for one attempt, from the first byte sent to the last byte received. */
  readonly timeout: number;
  readonly maxBytes: number;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Timing;
}

type Validators = Readonly<Record<'etag' | 'lastModified', string | null>>;

export type FetchResult =
  | ({ readonly kind: 'fetched'; readonly content: Uint8Array } & Validators)
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly reason: string };

const maxPause = 30_000;

/**
 * Fetches a source unless it still matches `previous`. Returns failures of the network and of the host
 * as results.
 */
export async function fetchSource(
  url: string,
  previous: Validators | null,
  limits: FetchLimits,
): Promise<FetchResult> {
  const pauses = Array.from({ length: limits.retries }, (_, attempt) =>
    Math.min(1000 * 4 ** attempt, maxPause),
  );
  try {
    const answer = await ask(url, previous, { ...limits, pauses });
    const isConditional = Boolean(previous?.etag || previous?.lastModified);
    if (!isConditional || [200, 304, 429].includes(answer.status))
      return resultOf(answer, isConditional);
    // Some servers fail only on conditional requests.
    return resultOf(
      await ask(url, null, {
        ...limits,
        pauses: [],
      }),
      false,
    );
  } catch (error) {
    const [problem] = error instanceof ProblemError ? error.problems : [];
    if (problem?.code === 'unreachable')
      return {
        kind: 'failed',
        reason: problem.reason,
      };
    throw error;
  }
}

/**
 * Sends a request. A redirect into a private network may lead only to the host of the source
 * itself.
 */
async function ask(
  url: string,
  previous: Validators | null,
  limits: FetchLimits & { readonly pauses: readonly number[] },
): Promise<HttpResponse> {
  const headers = Object.entries({
    accept:
      'text/calendar, text/csv, application/json, text/html;q=0.9, text/plain;q=0.5, */*;q=0.1',
    ...(previous?.etag && { 'if-none-match': previous.etag }),
    ...(previous?.lastModified && { 'if-modified-since': previous.lastModified }),
  });
  // The certificate of https proves that the host is the same, whatever address its name now has.
  const refuseAddress = (address: string, to: string): string | null =>
    isPrivateAddress(address) && parseUrl(to)?.hostname !== parseUrl(url)?.hostname
      ? 'it redirects into a private network, which is followed only on the host of the source itself'
      : null;
  const outgoing = {
    url,
    headers,
    redirect: redirectRefusal,
    refuseAddress,
  };
  return request(async () => outgoing, { ...limits, maxPause });
}

/**
 * Returns why not to follow a redirect, or null if it leads to https without credentials, or stays
 * on this machine.
 */
function redirectRefusal(from: string, to: string): string | null {
  const isSecure = to.startsWith('https:');
  const staysLocal = from.startsWith('http:') && isSourceUrl(to);
  if ((isSecure || staysLocal) && !hasCredentials(to)) return null;
  return `it redirects to ${withoutCredentials(to)}; only https without a password is followed`;
}

function resultOf({ status, headers, body }: HttpResponse, isConditional: boolean): FetchResult {
  if (status === 304 && isConditional) return { kind: 'unchanged' };
  const meaning = status === 401 || status === 403 ? ', because it is not public' : '';
  if (status !== 200)
    return {
      kind: 'failed',
      reason: `it answers with status ${status}${meaning}`,
    };
  return {
    kind: 'fetched',
    content: body,
    etag: headers.get('etag') ?? null,
    lastModified: headers.get('last-modified') ?? null,
  };
}

/**
 * The networks of machines, rooms, companies and clouds: this network, private, loopback,
 * link-local (with the metadata addresses of clouds), protocols, benchmarks, multicast and reserved
 * (RFC 6890, 6598, 8215, 4193, 4291, 3879).
 */
const v4 = `0.0.0.0/8
  10.0.0.0/8
  100.64.0.0/10
  127.0.0.0/8
  169.254.0.0/16
  172.16.0.0/12
  192.0.0.0/24
  192.168.0.0/16
  198.18.0.0/15
  224.0.0.0/4
  240.0.0.0/4`.split(/\s+/);
const v6 = `::/128
  ::1/128
  64:ff9b:1::/48
  fc00::/7
  fe80::/10
  fec0::/10
  ff00::/8`.split(/\s+/);

/** IPv6 addresses that contain one of IPv4: mapped (4291) and translated (6052). */
const embedding = ['::ffff:', '64:ff9b::'];

const networks = new BlockList();
for (const [network = '', length] of v6.map((block) => block.split('/'))) {
  networks.addSubnet(network, Number(length), 'ipv6');
}
for (const [network = '', length] of v4.map((block) => block.split('/'))) {
  networks.addSubnet(network, Number(length), 'ipv4');
  for (const prefix of embedding) networks.addSubnet(prefix + network, 96 + Number(length), 'ipv6');
}

/**
 * Whether an IP address belongs to this machine or to a network that is not the public internet.
 */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return isIP(plain) !== 0 && networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
