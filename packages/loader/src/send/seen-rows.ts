import { createHash } from 'node:crypto';
import { canonicalContent } from '../rows/content.js';
import { keyOfEarlier, keysForLater } from '../rows/keys.js';
import type { Kind } from '../kinds/kinds.js';
import type { Row } from '../rows/row.js';

/** Characters of a digest: 72 bits, of which two differ among all rows that one account can have. */
const DIGEST_LENGTH = 12;

/** How a row relates to the earlier rows of its account that arrived. */
export type Relation = 'new' | 'same content' | 'other content';

/**
 * The rows of one account that arrived, by which later rows with the same key are recognised. It is kept for
 * accounts with more than one request only: within one there are no two rows of the same key. It has digests and not rows,
 * so that it can stand in the journal and a continued run knows them too.
 */
export class SeenRows {
  private readonly contents = new Map<string, string>();

  constructor(
    private readonly kind: Kind,
    encoded: readonly string[] = [],
  ) {
    for (const part of encoded) {
      for (let at = 0; at < part.length; at += 2 * DIGEST_LENGTH) {
        this.contents.set(
          part.slice(at, at + DIGEST_LENGTH),
          part.slice(at + DIGEST_LENGTH, at + 2 * DIGEST_LENGTH),
        );
      }
    }
  }

  relationOf(row: Row): Relation {
    if (row.key === undefined) return 'new';
    const content = this.contents.get(digest(keyOfEarlier(this.kind, row.key)));
    if (content === undefined) return 'new';
    return content === this.contentOf(row) ? 'same content' : 'other content';
  }

  /** Add a row that arrived and is new. @returns what the constructor takes */
  add(row: Row): string {
    if (row.key === undefined) return '';
    const content = this.contentOf(row);
    return keysForLater(this.kind, row.key)
      .map((key) => digest(key))
      .filter((key) => !this.contents.has(key))
      .map((key) => {
        this.contents.set(key, content);
        return key + content;
      })
      .join('');
  }

  private contentOf({ item }: Row): string {
    return digest(canonicalContent(this.kind, item));
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, DIGEST_LENGTH);
}
