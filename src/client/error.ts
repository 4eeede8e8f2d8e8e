/**
 * Why a question failed:
 * - `invalid-question`: it cannot be asked, such as a limit of 0; nothing was sent
 * - `not-found`: there is no such category or genre, or no such service at the address
 * - `http`: another status that is not a success; for 5xx, after all retries
 * - `network`, `timeout`: no complete answer, after all retries
 * - `wrong-answer`: an answer that does not fit the question, such as the list without the filter
 */
export type ClientErrorCode = 'invalid-question' | 'not-found' | 'http' | 'network' | 'timeout' | 'wrong-answer';

/** Every failure of the client except an abort, which rejects with the reason of the signal. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The address of the request. */
  readonly url: string;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;

  constructor(code: ClientErrorCode, url: string, message: string, status: number | null = null, cause?: unknown) {
    super(`${message} (${url})`, { cause });
    this.code = code;
    this.url = url;
    this.status = status;
  }
}
