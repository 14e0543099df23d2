import { hash } from 'node:crypto';
import { SECTIONS } from '../kinds/contract.generated.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';

export type Section = (typeof SECTIONS)[number];

/** The kinds in the order of the lines of an account's digest (choice V4). */
const IN_ORDER = KINDS.toSorted((one, other) => lineOf(one) - lineOf(other));

function lineOf(kind: Kind): number {
  return SECTIONS.indexOf(FACTS[kind].section);
}

/** The digest of the rows of an account, by kind. */
export type SectionDigests = ReadonlyMap<Kind, string>;

/** SHA-256 of the UTF-8 bytes of a text, lower-case hexadecimal. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * The digest of the rows of one kind.
 *
 * @param rows the digests of the rows, in any order
 * Source: choice V4.
 */
export function sectionDigest(rows: readonly string[]): string {
  return rows.length === 0 ? EMPTY : sha256(`${rows.toSorted().join('\n')}\n`);
}

/** The digest of a kind without rows. */
export const EMPTY = sha256('');

export const NO_ROWS: SectionDigests = new Map(KINDS.map((kind) => [kind, EMPTY]));

/** The digest of an account. Source: choice V4. */
export function accountDigest(sections: SectionDigests): string {
  return sha256(IN_ORDER.map((kind) => `${FACTS[kind].section} ${sections.get(kind) ?? EMPTY}\n`).join(''));
}

/** The line of an account from which the digest of a supplier is made, with its line feed. Source: choice V4. */
export function accountLine(account: string, digest: string): string {
  return `${JSON.stringify(account)} ${digest}\n`;
}
