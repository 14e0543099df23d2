/** Reasons by operating system error code. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of its path is no folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'it is on a file system that cannot be written to',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'it would be larger than is allowed',
  EMFILE: 'this process has too many open files',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EIO: 'the disk has failed',
  EADDRINUSE: 'another program uses the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
};

/** Reasons why a connection failed, by operating system error code. The address is appended if it is known. */
const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'there is no answer in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
};

interface NetworkError extends NodeJS.ErrnoException {
  /** A socket of this machine has a path as its address, and no port. */
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

/** Why an operating system call failed, as a part of a sentence; for any other error, its message. */
export function systemReason(error: unknown): string {
  const { code = '', message, syscall, address, port, hostname } = error as NetworkError;
  // A server that is stopped removes the file of its socket.
  const isStopped = code === 'ENOENT' && syscall === 'connect';
  const network = NETWORK_REASONS[isStopped ? 'ECONNREFUSED' : code];
  if (network === undefined) return REASONS[code] ?? message;
  const place = hostname ?? (address !== undefined && port !== undefined ? `${address}:${port}` : address);
  return place === undefined ? network : `${network} at ${place}`;
}
