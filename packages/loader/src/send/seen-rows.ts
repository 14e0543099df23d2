import { createHash } from 'node:crypto';
import type { Row } from '@data-import/files';
import { keyOfEarlier, keysForLater } from '../kinds/keys.js';
import type { Kind } from '../kinds/kinds.js';

/** The number of characters of a digest: 72 bits, enough that the digests of one account's rows do not collide. */
const DIGEST_LENGTH = 12;

/**
 * The keys of one account's rows that arrived, to recognise later rows with the same key. They are kept only for accounts with more
 * than one request, because a single request never has two rows with the same key. Digests are kept instead of keys, so that they
 * fit in the journal and a continued run knows them too.
 */
export class SeenRows {
  private readonly keys = new Set<string>();

  constructor(
    private readonly kind: Kind,
    encoded: readonly string[] = [],
  ) {
    for (const part of encoded) {
      for (let at = 0; at < part.length; at += DIGEST_LENGTH)
        this.keys.add(part.slice(at, at + DIGEST_LENGTH));
    }
  }

  /** Whether the row has the key of an earlier one. */
  has({ key }: Row): boolean {
    return key !== undefined && this.keys.has(digest(keyOfEarlier(this.kind, key)));
  }

  /** Add a row that arrived and is new. @returns the added digests, as the constructor takes them */
  add({ key }: Row): string {
    if (key === undefined) return '';
    const added = keysForLater(this.kind, key)
      .map((one) => digest(one))
      .filter((one) => !this.keys.has(one));
    for (const one of added) this.keys.add(one);
    return added.join('');
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, DIGEST_LENGTH);
}
