import pg from 'pg';

export interface InterruptibleConnection {
  readonly client: pg.Client;
  readonly close: () => Promise<void>;
}

/**
 * Connect to PostgreSQL until a signal fires. Then the connection is cut, so that a query fails which would run for long.
 *
 * @throws Error with the reason of the signal, or of the connection
 */
export async function connectUntil(
  stop: AbortSignal,
  connectionString: string,
): Promise<InterruptibleConnection> {
  stop.throwIfAborted();
  const client = new pg.Client({ connectionString, application_name: 'data-import backup' });
  // The query that runs then fails, too.
  client.on('error', () => undefined);
  const cut = (): void => {
    // Not among the types of pg.
    (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
  };
  stop.addEventListener('abort', cut);
  await client.connect();
  return {
    client,
    close: async () => {
      stop.removeEventListener('abort', cut);
      await client.end().catch(() => undefined);
    },
  };
}
