import { answer } from './handler.ts';

/** What the configuration of the worker binds. */
interface Bindings {
  readonly ASSETS: { readonly fetch: (url: URL) => Promise<Response> };
  /** The path of `{base_url}`; empty at the root of the host. */
  readonly MOUNT?: string;
}

/** The handler as a worker with static assets; it is bundled into the one file that `almanac host cloudflare` writes. */
export default {
  fetch: (request: Request, { ASSETS, MOUNT }: Bindings): Promise<Response> =>
    // A new request for each file: what the client says of caches, ranges and encodings is not for the assets.
    answer(request, (path) => ASSETS.fetch(new URL(`/${path}`, request.url)), Date.now(), MOUNT),
};
