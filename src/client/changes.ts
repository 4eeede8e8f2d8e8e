import type { ChangesDocument } from '../api/documents.ts';
import { changesPath } from '../api/paths.ts';
import {
  createClient as createCore,
  requestOptionsOf,
  type Asking,
  type Client,
  type ClientOptions,
} from './client.ts';
import { ClientError } from './error.ts';
import { getDocument } from './request.ts';

export type { ChangeRecord, ChangesDocument } from '../api/documents.ts';

/** The typed client, with what changed in a catalogue. */
export interface ChangesClient extends Client {
  /** Returns what changed, newest first. Rejects with a {@link ClientError}. */
  readonly changes: (asking?: Asking) => Promise<ChangesDocument>;
}

/** Creates a client like that of `almanac/client` that can also read what changed, if the site has bulk files. */
export function createClient(options: ClientOptions): ChangesClient {
  const requestOptions = requestOptionsOf(options);
  const url = `${requestOptions.base}/${changesPath}`;
  return {
    ...createCore(options),
    changes: async ({ signal } = {}) => {
      const document = (await getDocument(requestOptions, url, signal)) as ChangesDocument | null;
      if (Array.isArray(document?.changes)) return document;
      throw new ClientError('wrong-answer', url, 'the answer is not a change log');
    },
  };
}
