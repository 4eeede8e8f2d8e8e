/**
 * What went wrong with a question:
 * - `invalid-question`: it can't be asked, such as a limit of 0; nothing was sent
 * - `not-found`: there is no such category or genre, or no such service at the address
 * - `http`: another status that is not a success, 5xx once the retries are used up
 * - `network`, `timeout`: no whole answer came, once the retries are used up
 * - `wrong-answer`: an answer came that is not the one to this question, such as the list without the filter
 */
export type ClientErrorCode = 'invalid-question' | 'not-found' | 'http' | 'network' | 'timeout' | 'wrong-answer';

/** Every failure of the client but an abort, which is thrown as the signal's own reason. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The address that was asked. */
  readonly url: string;
  /** The HTTP status, where there was an answer. */
  readonly status: number | null;

  constructor(code: ClientErrorCode, url: string, message: string, status: number | null = null, cause?: unknown) {
    super(`${message} (${url})`, { cause });
    this.code = code;
    this.url = url;
    this.status = status;
  }
}
