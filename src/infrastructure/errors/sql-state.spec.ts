import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import {
  databaseComplaint,
  databaseMessage,
  isUnavailable,
  isUnreachable,
  isWithoutConnection,
} from './sql-state.js';

describe('a driver error without a code', () => {
  it.each<[string, boolean]>([
    ['timeout exceeded when trying to connect', true],
    ['Connection terminated due to connection timeout', true],
    ['timeout expired', true],
    ['The server does not support SSL connections', true],
    ['There was an error establishing an SSL connection', true],
    ['Connection terminated unexpectedly', true],
    ['Connection terminated', true],
    ['Client has encountered a connection error and is not queryable', true],
    ['Client was closed and is not queryable', true],
    ['Client has already been connected. You cannot reuse a client.', false],
    ['Received unexpected rowDescription message from backend.', false],
    ['Cannot use a pool after calling end on the pool', false],
    ['Query read timeout', false],
    ['', false],
  ])('is a connection error or not: %j, %j (T4)', (sentence, isOne) => {
    const error = new Error(sentence);
    expect(isWithoutConnection(error)).toBe(isOne);
    expect(isWithoutConnection(new QueryFailedError('SELECT 1', undefined, error))).toBe(isOne);
  });

  it.each([[undefined], ['Connection terminated'], [new QueryRunnerAlreadyReleasedError()]])(
    'is not a connection error by itself: %s (T4)',
    (error) => {
      expect(isWithoutConnection(error)).toBe(false);
    },
  );
});

describe('a database error with a code', () => {
  it.each<[what: string, codes: string[], isExpected: boolean]>([
    ['a lost connection', ['08000', '08003', '08006'], true],
    ['a role that may not connect', ['28000', '28P01'], true],
    ['no disk space, memory or connection left', ['53000', '53100', '53200', '53300'], true],
    ['a lock or a query that timed out', ['55P03', '57014'], true],
    ['a transaction that fails at every try', ['40001', '40P01'], true],
    ['a server that stops, starts or was restored', ['57P01', '57P02', '57P03', '57P04'], true],
    ['a database that does not exist', ['3D000'], true],
    ['a server that only reads, after a fail-over', ['25006'], true],
    ['an unreachable host', ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH'], true],
    ['a name that is not found', ['ENOTFOUND', 'EAI_AGAIN'], true],
    ['a connection that breaks', ['ETIMEDOUT', 'EPIPE'], true],
    ['what was sent', ['21000', '22003', '23505', '23514', 'P0001'], false],
    ['the query itself', ['25001', '25P02', '42P01', '42501', '54001', '55000', 'XX000'], false],
    ['something else', ['', 'ERR_ASSERTION', 'ENOENT'], false],
  ])('means that the database is unavailable, or not: %s (T4)', (_what, codes, isExpected) => {
    for (const code of codes) {
      const bare = Object.assign(new Error('No.'), { code });
      for (const error of [bare, new QueryFailedError('SELECT 1', undefined, bare)]) {
        expect([code, isUnavailable(error)]).toEqual([code, isExpected]);
      }
    }
  });
});

it('means that the database is unavailable when the file of its socket is gone, as after a stop (T4)', () => {
  const address = '/run/postgresql/.s.PGSQL.5432';
  const code = { code: 'ENOENT', syscall: 'connect', address };
  const error = Object.assign(new Error(`connect ENOENT ${address}`), code);
  expect([isUnavailable(error), isUnreachable(error)]).toEqual([true, true]);
  expect(databaseMessage(error)).toBe(`nothing answers at ${address}`);
});

describe('an error that the coordinator of a Citus cluster reports', () => {
  const LOST =
    'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally';

  it.each<[code: string, message: string, isExpected: boolean]>([
    ['XX000', LOST, true],
    ['XX000', 'could not receive data from server: Connection reset by peer', true],
    ['XX000', 'could not send data to server: Broken pipe', true],
    ['XX000', 'SSL SYSCALL error: EOF detected', true],
    ['XX000', 'SSL connection has been closed unexpectedly', true],
    ['XX000', 'connection not open', true],
    ['XX000', 'no connection to the server', true],
    ['XX000', 'failure on connection marked as essential: worker-1.internal:5432', true],
    ['XX000', 'could not commit transaction for shard 102042 on at least one active node', true],
    ['XX000', 'could not connect to any active placements', true],
    ['XX000', 'could not find valid entry for shard 102034', true],
    ['XX000', 'could not find valid entry for citus table with oid: 16384', false],
    ['58030', 'failed to COPY to shard 102042 on worker-1.internal:5432', true],
    ['08006', 'connection to the remote node service@worker-1.internal:5432 failed', true],
    ['58030', 'could not read file "base/16384/2619": Input/output error', false],
    ['XX000', 'cache lookup failed for relation 16384', false],
    ['XX000', 'unexpected intermediate result: no connection to the server', false],
    ['XX000', '', false],
    ['P0001', LOST, false],
  ])('means that a node was lost, or not: %s %j is %j (T4)', (code, message, isExpected) => {
    const bare = Object.assign(new Error(message), { code });
    expect(isUnavailable(bare)).toBe(isExpected);
    expect(isUnavailable(new QueryFailedError('SELECT 1', undefined, bare))).toBe(isExpected);
  });
});

describe('the database’s message about an error', () => {
  const FULL = Object.assign(new Error('It is full'), { detail: 'secret' });

  it.each<[string, Error, string]>([
    ['a query', new QueryFailedError('SELECT $1', ['secret'], FULL), 'It is full'],
    ['a connection', new Error('refused by ::1'), 'refused by ::1'],
    [
      'a host with several addresses',
      new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]),
      'refused by ::1, refused by 127.0.0.1',
    ],
  ])('contains no details: %s (section 6)', (_what, error, message) => {
    expect(databaseMessage(error)).toBe(message);
  });
});

describe('the text for operators about a database error', () => {
  it.each([
    ['08006', { code: 'service_unavailable', sentence: 'The database cannot be used just now: No.' }],
    ['42501', { code: 'insufficient_privilege', sentence: 'The role in DATABASE_URL lacks a right: No.' }],
    ['42P01', undefined],
  ])('is a sentence if the database is at fault, and absent if the code is: %s', (code, expected) => {
    const error = new QueryFailedError('SELECT 1', undefined, Object.assign(new Error('No'), { code }));
    expect(databaseComplaint(error)).toEqual(expected);
  });
});
