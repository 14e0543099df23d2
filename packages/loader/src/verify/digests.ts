import { hash } from 'node:crypto';
import { KINDS, type Kind } from '../rows/row.js';

/** The name of each kind in the answers of the service, in the order of the lines of an account's digest (choice V4). */
export const SECTIONS = {
  notes: 'notes',
  transactions: 'transactions',
  statements: 'historical_statements',
  'payment-instructions': 'payment_instructions',
} as const satisfies Record<Kind, string>;

export type Section = (typeof SECTIONS)[Kind];

const IN_ORDER = ['notes', 'transactions', 'statements', 'payment-instructions'] as const;

/** By kind the digest of the rows of an account. */
export type SectionDigests = ReadonlyMap<Kind, string>;

/** SHA-256 of the UTF-8 bytes of a text, lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The digest of the rows of one kind.
 *
 * @param rows their digests, in any order
 * Source: choice V4.
 */
export function sectionDigest(rows: readonly string[]): string {
  return sha256(
    rows
      .toSorted()
      .map((row) => `${row}\n`)
      .join(''),
  );
}

/** The digest of a kind without rows. */
export const EMPTY = sectionDigest([]);

export const NO_ROWS: SectionDigests = new Map(KINDS.map((kind) => [kind, EMPTY]));

/** The digest of an account. Source: choice V4. */
export function accountDigest(sections: SectionDigests): string {
  return sha256(IN_ORDER.map((kind) => `${SECTIONS[kind]} ${sections.get(kind) ?? EMPTY}\n`).join(''));
}

/** The line of an account from which the digest of a supplier is made, with its line feed. Source: choice V4. */
export function accountLine(account: string, digest: string): string {
  return `${JSON.stringify(account)} ${digest}\n`;
}
