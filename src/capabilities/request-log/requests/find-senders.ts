import { query, run, type QueryParameters } from '../../../infrastructure/database/query.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { Sender } from './sent-requests.types.js';

/** The senders of requests, by API key id. */
export type Senders = ReadonlyMap<string, Sender>;

const sendersQuery = (name: string, condition: string) =>
  query<Sender & { readonly id: string }>(
    `sent_requests.${name}`,
    `SELECT k.id, k.organisation_id AS "organisationId", o.name AS organisation, k.label
       FROM api_key k
       JOIN organisation o ON o.id = k.organisation_id
      WHERE ${condition}
      ORDER BY o.name, k.label, k.id
      LIMIT :count_max`,
  );

/** Pages run these queries, and some of them repeatedly. */
const SENDERS = {
  all: sendersQuery('senders', 'true'),
  ofOrganisation: sendersQuery('senders_of_organisation', 'k.organisation_id = :organisation_id'),
  ofKeys: sendersQuery('senders_of_keys', 'k.id = ANY (:ids::uuid[])'),
};

/** The senders whose keys meet a condition, ordered by the names of their organisations. */
export async function findSenders(
  tx: Tx,
  wanted: keyof typeof SENDERS,
  parameters: QueryParameters,
): Promise<Senders> {
  const rows = await run(tx, SENDERS[wanted], { count_max: null, ...parameters });
  return new Map(rows.map(({ id, ...sender }) => [id, sender]));
}
