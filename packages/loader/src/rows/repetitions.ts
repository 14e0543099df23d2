import { createHash } from 'node:crypto';
import { canonicalContent } from './content.js';
import { noteContent } from './keys.js';
import type { Kind, Origin, Row } from './row.js';

/** Bytes of earlier rows that are kept to be compared; of more only digests are. */
const KEPT_BYTES_MAX = 16_777_216;

/** The first row of a key. */
interface First {
  readonly origin: Origin;
  readonly item: string | undefined;
  readonly digest: string | undefined;
}

/** An earlier row of the account that the service takes for the same as a later one. */
export interface Repetition {
  readonly of: Origin;
  /** Otherwise the later row would be lost without an error, or is refused by the service. */
  readonly hasSameContent: boolean;
}

/**
 * Finds repeated rows of one account and kind while they are walked through in their order. Make one for each account.
 *
 * Two rows are the same to the service if their keys are equal. A note without `created_at` is also the same as any earlier
 * note of the same content, whatever the date-time of that one.
 */
export class Repetitions {
  private readonly byKey = new Map<string, First>();
  private keptBytes = 0;

  constructor(private readonly kind: Kind) {}

  /**
   * Add the next row of the account.
   *
   * @returns the earlier row that it repeats, if there is one; a repetition is not itself kept
   */
  add(row: Row): Repetition | undefined {
    if (row.key === undefined) return undefined;
    const isNote = this.kind === 'notes';
    const { createdAt, content } = isNote ? noteContent(row.key) : { createdAt: 'none', content: '' };
    // Under a key of its own stands the first note of a content, for later ones without a date-time.
    const contentKey = `any\n${content}`;
    const first = this.byKey.get(createdAt === '' ? contentKey : row.key);
    if (first) return { of: first.origin, hasSameContent: this.isSame(first, row) };
    const kept = this.keep(row);
    this.byKey.set(row.key, kept);
    if (isNote && !this.byKey.has(contentKey)) this.byKey.set(contentKey, kept);
    return undefined;
  }

  private keep({ origin, item }: Row): First {
    if (this.keptBytes > KEPT_BYTES_MAX) return { origin, item: undefined, digest: this.digest(item) };
    this.keptBytes += item.length;
    return { origin, item, digest: undefined };
  }

  private isSame({ item, digest }: First, row: Row): boolean {
    if (item === undefined) return digest === this.digest(row.item);
    return item === row.item || this.content(item) === this.content(row.item);
  }

  /** The date-times of two notes are equal, or one of them has none, which does not make it another one. */
  private content(item: string): string {
    return canonicalContent(this.kind, item, this.kind === 'notes' ? ['created_at'] : []);
  }

  private digest(item: string): string {
    return createHash('sha256').update(this.content(item)).digest('base64');
  }
}
