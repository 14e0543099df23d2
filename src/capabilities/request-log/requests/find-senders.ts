import { run, type Query, type QueryParameters } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { Sender } from './sent-requests.types.js';

/** The senders of requests, by API key id. */
export type Senders = ReadonlyMap<string, Sender>;

/** The senders that a query of senders.queries.ts finds, in its order. */
export async function findSenders(
  tx: Tx,
  wanted: Query<Sender & { readonly id: string }>,
  parameters: QueryParameters,
): Promise<Senders> {
  const rows = await run(tx, wanted, parameters);
  return new Map(rows.map(({ id, ...sender }) => [id, sender]));
}
