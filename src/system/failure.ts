import { printable, ProblemError } from '../problem/problem.ts';

/** Returns the reason for a failure as a phrase, without the path. */
export function failureReason(error: unknown): string {
  const { code = '', message, reason } = error as NodeJS.ErrnoException & { readonly reason?: string };
  // The message of OpenSSL contains a thread number and a line of its source.
  if (code.startsWith('ERR_SSL_') && reason !== undefined) return systemReasons[code] ?? `${reason} (${code})`;
  if (code.startsWith('HPE_')) return `its response is not valid HTTP (${code})`;
  return systemReasons[code] ?? printable(message);
}

/** Turns an error of the file system into a problem of this code. Returns any other error unchanged. */
export function diskProblem(error: unknown, code: 'write-failed' | 'cache-failed' | 'site-unreadable'): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const { path = '' } = error as NodeJS.ErrnoException;
  return new ProblemError([{ code, place: null, path, reason: failureReason(error) }]);
}

/** Calls `work`, and turns an error of the file system into a problem of this code. */
export async function orDiskProblem<T>(code: Parameters<typeof diskProblem>[1], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw diskProblem(error, code);
  }
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied (EACCES)',
  EPERM: 'the system does not permit it (EPERM)',
  EROFS: 'the disk is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  EMFILE: 'too many files are open (EMFILE)',
  ENOENT: 'it does not exist (ENOENT)',
  EBUSY: 'the system is using it, perhaps as a mount point (EBUSY)',
  EXDEV: 'it is on another file system, or in a layer of a container image (EXDEV)',
  EISDIR: 'it is a folder (EISDIR)',
  ENOTDIR: 'a part of its path is a file (ENOTDIR)',
  EEXIST: 'it already exists (EEXIST)',
  ELOOP: 'it is a symbolic link, or its links form a loop (ELOOP)',
  ENAMETOOLONG: 'a name in it is too long (ENAMETOOLONG)',
  EADDRINUSE: 'another program uses it (EADDRINUSE)',
  EADDRNOTAVAIL: 'this machine has no such address (EADDRNOTAVAIL)',
  ENOTFOUND: 'its name does not exist (ENOTFOUND)',
  EAI_AGAIN: 'its name could not be looked up (EAI_AGAIN)',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'the connection was cut off (ECONNRESET)',
  EHOSTUNREACH: 'there is no route to it (EHOSTUNREACH)',
  ENETUNREACH: 'there is no route to it (ENETUNREACH)',
  ETIMEDOUT: 'the connection took too long (ETIMEDOUT)',
  EPROTO: 'it does not speak TLS, perhaps only http (EPROTO)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS, perhaps only http',
  Z_DATA_ERROR: 'its body is not compressed as declared',
  Z_BUF_ERROR: 'its compressed body was cut off',
  EIO: 'the disk reported an error (EIO)',
};
