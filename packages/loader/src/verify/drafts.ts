import type { RowDifference } from './compare.js';
import { keyText } from '../kinds/keys.js';
import type { Difference } from './result.js';
import type { Kind } from '../kinds/kinds.js';

/** A difference, until what it is called was read from the files. */
export interface Draft {
  readonly account: string;
  readonly kind: Kind;
  readonly problem: Difference['problem'];
  /** Index of the file, and the line. */
  readonly file?: number | undefined;
  readonly line?: number | undefined;
  /** Of a row that only the service has. */
  readonly key?: string | undefined;
  /** Canonical text of what the service has, of a row that differs from it. */
  readonly text?: string;
}

export function draftOf(account: string, difference: RowDifference): Draft {
  const { problem } = difference;
  if (problem === 'unexpected') {
    const { kind, text } = difference.row;
    return { account, kind, problem, key: keyText(kind, text) };
  }
  const { kind, file, line } = difference.entry;
  const draft = { account, kind, problem, file, line };
  return problem === 'different' ? { ...draft, text: difference.row.text } : draft;
}
