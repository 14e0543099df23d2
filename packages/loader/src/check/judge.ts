import type { Row } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import { canonicalContent } from '../rows/content.js';
import { rowsByKey, type ServiceRow } from '../verify/compare.js';
import { digestsOf } from '../verify/entry.js';
import { differingFields } from '../verify/fields.js';

/** Whether the service has a row. If it has the row's key with other content, these are the errors for that. */
export type Verdict = 'there' | 'missing' | readonly RefusedField[];

export const NOT_FOUND: RefusedField = {
  code: 'not_found_after_load',
  attr: '',
  detail: 'The service acknowledged the row, and does not have it.',
};

/** Decides about the rows of one kind of an account, given the rows that the service has. */
export class Judge {
  private readonly rows: ServiceRow[];
  private findRows: ReturnType<typeof rowsByKey>;

  constructor(
    private readonly kind: Kind,
    rows: readonly ServiceRow[],
  ) {
    this.rows = [...rows];
    this.findRows = rowsByKey(this.rows);
  }

  decide(row: Row): Verdict {
    const own = this.serviceRow(row);
    if (this.rows.some(({ content }) => content === own.content)) return 'there';
    const same = this.findRows(own);
    const { note } = own;
    const isUndated = note !== undefined && !note.isDated;
    // The service treats a note without `created_at` as any earlier note with the same content (choice N4).
    if (isUndated && same.some((other) => other.note?.rest === note.rest)) return 'there';
    const [other] = same;
    if (!other) return 'missing';
    const fields = differingFields(own.text, other.text).filter(
      (path) => !isUndated || path !== 'created_at',
    );
    return fields.map((attr) => this.error(attr));
  }

  /** Add a row in a dry run. The next rows then find it as if it had been stored. */
  add(row: Row): void {
    this.rows.push(this.serviceRow(row));
    this.findRows = rowsByKey(this.rows);
  }

  private serviceRow({ item }: Row): ServiceRow {
    const { kind } = this;
    const text = canonicalContent(kind, item);
    return { kind, text, ...digestsOf(kind, text) };
  }

  private error(attr: string): RefusedField {
    const code = FACTS[this.kind].conflict ?? 'stored_with_other_content';
    return {
      code,
      attr,
      detail: `The account has a row with the same key and another ${attr}, which the service keeps.`,
    };
  }
}
