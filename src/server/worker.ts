import { answer } from './handler.ts';

interface Bindings {
  readonly ASSETS: { readonly fetch: (url: URL) => Promise<Response> };
  /** The path of `{base_url}`; empty at the root of the host. */
  readonly MOUNT?: string;
}

/**
 * The handler as a worker with static assets, bundled into the file that `almanac host cloudflare`
 * writes.
 */
export default {
  fetch: (request: Request, { ASSETS, MOUNT }: Bindings): Promise<Response> =>
    // Each file is a new request, so that the assets do not see the client's cache, range and
    // encoding headers.
    answer(request, (path) => ASSETS.fetch(new URL(`/${path}`, request.url)), Date.now(), MOUNT),
};
