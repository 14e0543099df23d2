import { QueryFailedError } from 'typeorm';
import { systemReason } from '../config/system-reason.js';

/** The error of the driver itself, for a failed query or connection. */
function driverError(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** SQLSTATE of a query that was cancelled because it took too long. */
export const QUERY_CANCELED = '57014';

/** SQLSTATE of a row whose key already exists. */
export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of a failed query, or the system code of a failed connection. */
export function sqlState(error: unknown): string | undefined {
  const code = (driverError(error) as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}

/** The database's message about an error, for operators, without the rows and parameters that PostgreSQL adds. */
export function databaseMessage(error: unknown): string {
  const cause = driverError(error);
  // If a host has several addresses and none answers, the error has no message of its own.
  if (cause instanceof AggregateError) return cause.errors.map(databaseMessage).join(', ');
  const message = systemReason(cause);
  const code = sqlState(cause) ?? '';
  if (code === OTHER_HOST) return `the certificate of the server is for another host: ${message}`;
  return UNTRUSTED.test(code)
    ? `the certificate of the server is not signed by a trusted authority (sslrootcert): ${message}`
    : message;
}

/** Node.js error codes for a certificate of another host, and for one with an unknown authority. */
const OTHER_HOST = 'ERR_TLS_CERT_ALTNAME_INVALID';
const UNTRUSTED =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_SIGNATURE_FAILURE)/;

/** Node.js error codes for a connection that could not be encrypted, because of a certificate or in the handshake. */
const NOT_ENCRYPTED =
  /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;

/** Messages of the driver and its pool that have no code, for a connection that could not be made or was lost. */
const NO_CONNECTION = new Set([
  // No connection was free in time, or a new one was not ready in time.
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'timeout expired',
  // The server did not agree to encryption, or failed before it could.
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
  // The connection ended while a query was running, or before the query was sent.
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]);

/** Whether a query had no connection, or lost it, and the code does not say so. */
export function isWithoutConnection(error: unknown): boolean {
  const cause = driverError(error);
  return cause instanceof Error && (NO_CONNECTION.has(cause.message) || cause.message.startsWith(NO_SOCKET));
}

/** A server that is stopped removes the file of its socket. */
const NO_SOCKET = 'connect ENOENT ';

/**
 * SQLSTATEs and system codes of a database that is unavailable: unreachable, full, shutting down, rejecting the connection,
 * without the shard of the query, being renamed or restored, read-only after a fail-over, so slow that a query or its wait for a
 * lock timed out, or so busy that a transaction failed at every try. A retry may succeed.
 */
const UNAVAILABLE =
  /^(08|28|40001|40P01|53|55P03|57014|57P0|DI001|3D000|25006|ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)/;

/** Whether no connection to the server could be made, or it was lost: the server is down or shutting down. */
export function isUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(sqlState(error) ?? '') || isWithoutConnection(error);
}

const UNREACHABLE = /^(08|57P0|ECONN|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE)/;

/** SQLSTATEs under which Citus reports an unavailable node, among other things: a lost connection, an internal and an I/O error. */
const CITUS_STATES = new Set(['08006', 'XX000', '58030']);

/**
 * Beginnings of messages about a node that is unreachable or was lost during a query: those of Citus, and those of libpq, through
 * which the coordinator connects to it. PostgreSQL writes none of them about itself. They are in English as long as `lc_messages`
 * is.
 */
const NODE_AWAY = beginningWith(
  'connection to the remote node ',
  'could not establish any connections to the node ',
  'server closed the connection unexpectedly',
  'could not (receive data from|send data to) server: ',
  'SSL connection has been closed unexpectedly',
  'SSL SYSCALL error: ',
  'connection not open',
  'no connection to the server',
  'failure on connection marked as essential: ',
  'could not commit transaction for shard \\d+ on at least one active node',
  'could not connect to any active placements',
  'failed to COPY to shard \\d+ on ',
);

/** The same for a query that was rolled back because its shard was split or moved while it waited. */
const SHARD_MOVED = beginningWith('could not find valid entry for shard (placement )?\\d+');

function beginningWith(...beginnings: string[]): RegExp {
  return new RegExp(`^(${beginnings.join('|')})`);
}

/** Whether the coordinator of a Citus cluster could not reach the node of the rows, or lost it, perhaps during a commit. */
export function isNodeAway(error: unknown): boolean {
  return isCitusError(error, NODE_AWAY);
}

function isCitusError(error: unknown, messages: RegExp): boolean {
  const cause = driverError(error);
  return cause instanceof Error && CITUS_STATES.has(sqlState(cause) ?? '') && messages.test(cause.message);
}

/** Whether the database, or the node that a query needs, is unavailable. If not, the query itself is wrong. */
export function isUnavailable(error: unknown): boolean {
  const code = sqlState(error) ?? '';
  if (UNAVAILABLE.test(code) || NOT_ENCRYPTED.test(code) || isWithoutConnection(error)) return true;
  return isNodeAway(error) || isCitusError(error, SHARD_MOVED);
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** The message to operators about a database that is unavailable or denies a privilege. */
export interface DatabaseComplaint {
  readonly code: 'service_unavailable' | 'insufficient_privilege';
  readonly sentence: string;
}

/** @returns undefined for any other error */
export function databaseComplaint(error: unknown): DatabaseComplaint | undefined {
  if (isUnavailable(error)) {
    const sentence = `The database cannot be used just now: ${databaseMessage(error)}.`;
    return { code: 'service_unavailable', sentence };
  }
  if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) return undefined;
  const sentence = `The role in DATABASE_URL lacks a right: ${databaseMessage(error)}.`;
  return { code: 'insufficient_privilege', sentence };
}
