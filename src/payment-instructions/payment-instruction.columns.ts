import { Columns } from '../ingest/item-columns.js';
import type { NewInstruction, VerifiedInstruction } from './payment-instructions.types.js';

const SENT = {
  vendor: { type: 'text', read: ({ vendor }: NewInstruction) => vendor },
  reference: { type: 'text', read: ({ reference }: NewInstruction) => reference },
};

/** What identifies an instruction on its account (choice P2). */
export const INSTRUCTION_KEY_COLUMNS = new Columns<NewInstruction>('item', SENT);

/** What an instruction brings to the database. */
export const INSTRUCTION_COLUMNS = new Columns<VerifiedInstruction>('item', {
  ...SENT,
  type: { type: 'text', read: ({ type }) => type },
  details: { type: 'jsonb', read: ({ details }) => JSON.stringify({ kind: details.kind, ...details.kept }) },
  verified_at: { type: 'timestamptz', read: ({ verifiedAt }) => verifiedAt.toISOString() },
});
