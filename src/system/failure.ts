import { getSystemErrorMap } from 'node:util';
import { printable, problemError } from '../problem/problem.ts';

/** Returns the reason for a failure as a phrase, without the path. */
export function failureReason(error: unknown): string {
  const {
    code = '',
    message,
    reason,
  } = error as NodeJS.ErrnoException & { readonly reason?: string };
  // The message of OpenSSL contains a thread number and a line of its source.
  if (code.startsWith('ERR_SSL_') && reason !== undefined)
    return failureWords[code] ?? `${reason} (${code})`;
  if (code.startsWith('HPE_')) return `its response is not valid HTTP (${code})`;
  const words = new Map(getSystemErrorMap().values()).get(code);
  return failureWords[code] ?? (words === undefined ? printable(message) : `${words} (${code})`);
}

/**
 * Turns an error of the file system into a problem of this code. Returns any other error unchanged.
 */
export function diskProblem(
  error: unknown,
  code: 'write-failed' | 'cache-failed' | 'site-unreadable',
): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const { path = '' } = error as NodeJS.ErrnoException;
  return problemError({ code, path, reason: failureReason(error) });
}

/** Calls `work`, and turns an error of the file system into a problem of this code. */
export async function orDiskProblem<T>(
  code: Parameters<typeof diskProblem>[1],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskProblem(error, code);
  }
}

/** Reasons for which the words of the system are not clear. */
const failureWords: Readonly<Record<string, string>> = {
  EXDEV: 'it is on another file system, or in a layer of a container image (EXDEV)',
  EISDIR: 'it is a folder (EISDIR)',
  ELOOP: 'it is a symbolic link, or its links form a loop (ELOOP)',
  ENOTFOUND: 'its name does not exist (ENOTFOUND)',
  EAI_AGAIN: 'its name could not be looked up (EAI_AGAIN)',
  EPROTO: 'it does not speak TLS, perhaps only http (EPROTO)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS, perhaps only http',
  Z_DATA_ERROR: 'its body is not compressed as declared',
  Z_BUF_ERROR: 'its compressed body was cut off',
};
