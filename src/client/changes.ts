import type { ChangesDocument } from '../api/documents.ts';
import { changesPath } from '../api/paths.ts';
import { createClient as createCore, type Asking, type Client } from './client.ts';
import { connect, getDocument, type ClientOptions } from './request.ts';

export type { ChangeRecord, ChangesDocument } from '../api/documents.ts';

/** The typed client, with what changed in a catalogue. */
export interface ChangesClient extends Client {
  /** Returns what changed, newest first. Rejects with a {@link ClientError}. */
  readonly changes: (asking?: Asking) => Promise<ChangesDocument>;
}

/** Creates a client like that of `almanac/client` that can also read what changed, if the site has bulk files. */
export function createClient(options: ClientOptions): ChangesClient {
  const connection = connect(options);
  const url = `${connection.base}/${changesPath}`;
  const isLog = ({ changes }: ChangesDocument): boolean => Array.isArray(changes);
  return {
    ...createCore(options),
    changes: async ({ signal } = {}) => getDocument(connection, url, signal, isLog),
  };
}
