import pg from 'pg';
import { poolOf } from './pool-of.js';
import { queryConfig, queryFailure, type Query, type QueryParameters } from './query.js';
import type { Tx } from './unit-of-work.js';

/**
 * Run a query and yield its rows as they arrive, so that a result of any length takes constant memory. While the caller is busy
 * with rows, nothing more is read from the connection, and PostgreSQL waits when the buffers in between are full.
 *
 * @param parameters by the names that the query's text uses; other names are ignored
 * @returns lists of rows that arrived together. If the caller stops before the last list, the connection is closed, which ends
 * its transaction
 * @throws QueryFailedError like `run` in query.ts
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
    // Like pg after a failed query: the connection may be ending, and the next query must not get it.
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
    // Rows received together with this one are still delivered after the pause, up to the size of a socket buffer.
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
