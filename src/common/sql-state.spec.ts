import { QueryFailedError, QueryRunnerAlreadyReleasedError } from 'typeorm';
import { databaseMessage, isWithoutConnection } from './sql-state.js';

describe('a failure of the driver without a code', () => {
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
  ])('is one of the connection or not: %j, %j (T4)', (sentence, isOne) => {
    const error = new Error(sentence);
    expect(isWithoutConnection(error)).toBe(isOne);
    expect(isWithoutConnection(new QueryFailedError('SELECT 1', undefined, error))).toBe(isOne);
  });

  it.each([[undefined], ['Connection terminated'], [new QueryRunnerAlreadyReleasedError()]])(
    'is none of the connection by itself: %s (T4)',
    (error) => {
      expect(isWithoutConnection(error)).toBe(false);
    },
  );
});

describe('what the database said of a failure', () => {
  it.each<[string, Error, string]>([
    [
      'a query',
      new QueryFailedError(
        'SELECT $1',
        ['secret'],
        Object.assign(new Error('It is full'), { detail: 'secret' }),
      ),
      'It is full',
    ],
    ['a connection', new Error('connect ECONNREFUSED 127.0.0.1:5432'), 'connect ECONNREFUSED 127.0.0.1:5432'],
    [
      'a host with several addresses',
      new AggregateError([
        new Error('connect ECONNREFUSED ::1:5432'),
        new Error('connect ECONNREFUSED 127.0.0.1:5432'),
      ]),
      'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432',
    ],
  ])('is its message alone: %s (6)', (_what, error, message) => {
    expect(databaseMessage(error)).toBe(message);
  });
});
