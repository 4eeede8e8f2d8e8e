import { printable, ProblemError } from '../problem/messages.ts';

/** Why the system refused something, in words, without the path that the sentence around it names. */
export function failureReason(error: unknown): string {
  const { code = '', message, reason } = error as NodeJS.ErrnoException & { readonly reason?: string };
  // What OpenSSL says holds the number of a thread and a line of its source.
  if (code.startsWith('ERR_SSL_') && reason !== undefined) return systemReasons[code] ?? `${reason} (${code})`;
  return systemReasons[code] ?? printable(message);
}

/** What the file system refused, as a problem of this code; anything else is passed on. */
export function diskProblem(error: unknown, code: 'write-failed' | 'cache-failed' | 'site-unreadable'): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const { path = '' } = error as NodeJS.ErrnoException;
  return new ProblemError([{ code, place: null, path, reason: failureReason(error) }]);
}

const systemReasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied (EACCES)',
  EPERM: 'the system does not permit it (EPERM)',
  EROFS: 'the disk is read-only (EROFS)',
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the disk quota is used up (EDQUOT)',
  EMFILE: 'too many files are open (EMFILE)',
  ENOENT: 'it is not there (ENOENT)',
  EBUSY: 'the system is using it, perhaps as a mount point (EBUSY)',
  EXDEV: 'it is on another file system (EXDEV)',
  EISDIR: 'it is a folder (EISDIR)',
  ENOTDIR: 'a part of its path is a file (ENOTDIR)',
  EEXIST: 'something else has that name already (EEXIST)',
  ELOOP: 'links lead round in a circle (ELOOP)',
  ENAMETOOLONG: 'a name in it is too long (ENAMETOOLONG)',
  EADDRINUSE: 'another program listens there (EADDRINUSE)',
  EADDRNOTAVAIL: 'this machine has no such address (EADDRNOTAVAIL)',
  ENOTFOUND: 'no such name (ENOTFOUND)',
  EAI_AGAIN: 'its name could not be looked up (EAI_AGAIN)',
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ECONNRESET: 'the connection was cut off (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection was cut off',
  EHOSTUNREACH: 'no way leads there (EHOSTUNREACH)',
  ENETUNREACH: 'no way leads there (ENETUNREACH)',
  ETIMEDOUT: 'the connection took too long (ETIMEDOUT)',
  UND_ERR_CONNECT_TIMEOUT: 'the connection took too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS is spoken there, perhaps only http',
  Z_DATA_ERROR: 'it is not compressed as it says',
  Z_BUF_ERROR: 'what it compressed was cut off',
  EIO: 'the disk reported an error (EIO)',
};
