import { request, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './host.ts';

/** A request to the service. */
export interface Passing {
  readonly method: string;
  /** The path of the object, without the bucket and the prefix. */
  readonly path: string;
}

/** What the proxy does with a request: it forwards it, closes the connection, or responds with a status. */
export type Fate = 'pass' | 'cut' | { readonly status: number };

export interface FaultProxy {
  readonly url: string;
  /** All requests so far, in order. */
  readonly seen: Passing[];
  /** Decides about each request. It may wait. */
  decide: (request: Passing) => Fate | Promise<Fate>;
  readonly stop: () => Promise<void>;
}

/** Starts a proxy in front of an HTTP service. It removes the prefix `below` from the paths that it records. */
export async function startFaultProxy(target: string, below: string): Promise<FaultProxy> {
  const { url: address, close } = await listen(
    (incoming, outgoing) => void handle(incoming, outgoing).catch(() => outgoing.destroy()),
  );
  const proxy: FaultProxy = { url: address, seen: [], decide: () => 'pass', stop: close };
  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url = '' } = incoming;
    const path = url.startsWith(below) ? url.slice(below.length) : url;
    proxy.seen.push({ method, path });
    const fate = await proxy.decide({ method, path });
    if (fate === 'cut') incoming.destroy();
    else if (typeof fate === 'object') {
      incoming.resume();
      outgoing.writeHead(fate.status, { 'retry-after': '0' }).end();
    } else {
      incoming.pipe(
        request(target + url, { method, headers: incoming.headers }, (answer) => {
          answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers));
        }).on('error', () => outgoing.destroy()),
      );
    }
  }
  return proxy;
}
