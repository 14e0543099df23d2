import pg from 'pg';
import { poolOf } from './pool-of.js';
import { queryConfig, queryFailure, type Query, type QueryParameters } from './query.js';
import type { Tx } from './unit-of-work.js';

/**
 * Run a query and hand over its rows as they arrive, so that an answer of any length takes constant memory. While the caller
 * is busy with rows nothing more is read from the connection, and PostgreSQL waits when the buffers between them are full.
 *
 * @param parameters by the names that the query's text uses; further names are ignored
 * @returns the rows in lists, each of what has arrived together. A caller that stops before the last one closes the
 *   connection, and so ends its transaction
 * @throws QueryFailedError as `run` of query.ts does
 */
export async function* runArriving<Row>(
  tx: Tx,
  wanted: Query<Row>,
  parameters: QueryParameters,
): AsyncGenerator<Row[], void, undefined> {
  const submitted = new pg.Query(queryConfig(tx, wanted, parameters));
  const { queryRunner } = tx;
  const client = (await (queryRunner ?? poolOf(tx.dataSource)).connect()) as pg.PoolClient;
  let failure: Error | undefined;
  try {
    yield* arriving<Row>(client, submitted);
  } catch (cause) {
    failure = cause as Error;
    throw queryFailure(wanted, cause);
  } finally {
    // As pg does after a query that failed: the connection may be ending, and the next query must not get it.
    if (!queryRunner) client.release(failure);
  }
}

async function* arriving<Row>(
  client: pg.Client,
  submitted: pg.Query,
): AsyncGenerator<Row[], void, undefined> {
  const { stream } = client.connection;
  let rows: Row[] = [];
  let end: { readonly error?: Error } | undefined;
  let wake = (): void => undefined;
  submitted.on('row', (row: Row) => {
    // What was received with it is still handed over now, up to the size of a socket's buffer.
    if (rows.length === 0) stream.pause();
    rows.push(row);
    wake();
  });
  submitted.on('end', () => {
    end ??= {};
    wake();
  });
  submitted.on('error', (error) => {
    end ??= { error };
    wake();
  });
  client.query(submitted);
  try {
    for (;;) {
      if (rows.length > 0) {
        const arrived = rows;
        rows = [];
        yield arrived;
      } else if (!end) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          stream.resume();
        });
      } else if (end.error) {
        throw end.error;
      } else {
        return;
      }
    }
  } finally {
    stream.resume();
    // A closed connection does not return to the pool.
    if (!end) void client.end();
  }
}
