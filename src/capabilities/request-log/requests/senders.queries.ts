import { query } from '../../../infrastructure/database/query.js';
import type { Sender } from './sent-requests.types.js';

/** The sender of the requests with an API key. */
interface SenderOfKey extends Sender {
  readonly id: string;
}

const SENDERS = `
  SELECT k.id, k.organisation_id AS "organisationId", o.name AS organisation, k.label
    FROM api_key k
    JOIN organisation o ON o.id = k.organisation_id`;
const BY_ORGANISATION = 'ORDER BY o.name, k.label, k.id';

export const ALL_SENDERS = query<SenderOfKey>(
  'sent_requests.senders',
  `${SENDERS} ${BY_ORGANISATION} LIMIT :count_max`,
);

export const SENDERS_OF_ORGANISATION = query<SenderOfKey>(
  'sent_requests.senders_of_organisation',
  `${SENDERS} WHERE k.organisation_id = :organisation_id ${BY_ORGANISATION}`,
);

export const SENDERS_BY_KEY = query<SenderOfKey>(
  'sent_requests.senders_by_key',
  `${SENDERS} WHERE k.id = ANY (:ids::uuid[]) ${BY_ORGANISATION}`,
);
