import { totalmem } from 'node:os';

const FIXED_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=120',
  'max_wal_size=4GB',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  // Details and queries contain customer data.
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
];

const MEBIBYTE = 2 ** 20;
const BUFFERS_MIN = 128 * MEBIBYTE;
const BUFFERS_MAX = 4_096 * MEBIBYTE;

/** @returns settings of the embedded server, each as `name=value` */
export function serverSettings(): string[] {
  // The memory limit of a container is 0 if it is unknown, and more than the machine has if there is none.
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return [...FIXED_SETTINGS, `shared_buffers=${sharedBuffersFor(bytes)}`];
}

/**
 * Size of PostgreSQL's page cache: a quarter of the memory, as its documentation advises, at least 128 MB and at most 4 GB.
 *
 * @returns a value for the setting `shared_buffers`
 */
export function sharedBuffersFor(bytes: number): string {
  return `${Math.floor(Math.min(Math.max(bytes / 4, BUFFERS_MIN), BUFFERS_MAX) / MEBIBYTE)}MB`;
}
