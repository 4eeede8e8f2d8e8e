import type { ChangesDocument } from '../api/documents.ts';
import { changesPath } from '../api/paths.ts';
import { createClient as createCore, type Asking, type Client } from './client.ts';
import { connect, getDocument, type ClientOptions } from './request.ts';

export type { ChangeRecord, ChangesDocument } from '../api/documents.ts';

/** The typed client, with the changes of a catalogue. */
export interface ChangesClient extends Client {
  /** Returns the changes, newest first. Rejects with a {@link ClientError}. */
  readonly changes: (asking?: Asking) => Promise<ChangesDocument>;
}

/** Creates a client like that of `almanac/client` that can also read changes, if the site has bulk files. */
export function createClient(options: ClientOptions): ChangesClient {
  const connection = connect(options);
  const url = `${connection.base}/${changesPath}`;
  const isLog = ({ changes }: ChangesDocument): boolean => Array.isArray(changes);
  return {
    ...createCore(options),
    changes: async ({ signal } = {}) => getDocument(connection, url, signal, isLog),
  };
}
