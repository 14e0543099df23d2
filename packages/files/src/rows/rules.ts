import type { Fields } from '../fields/fields.js';
import type { FileMapping } from '../mapping/mapping.js';

/** For each rule of a mapping, the number of lines that it leaves out. Rules that no line has used have 0. */
export type RuleCounts = Readonly<Record<string, number>>;

/** The use of a mapping by a file. */
export interface MappingUse {
  /** The number of lines that the mapping leaves out. */
  readonly leftOut: number;
  /** The number of records that are read for other kinds. */
  readonly others: number;
  readonly rules: RuleCounts;
}

export const REPEATED_HEADER = 'repeated_header';

/** Finds the rules of a mapping that no line of a file uses. */
export class Rules {
  private readonly counts = new Map<string, number>();
  /** The rules that no line has used so far, by column and text. */
  private readonly open = new Map<string, Map<string, string>>();
  private readonly ignored: Set<string>;

  constructor(owner: Fields, { sources, formOf, ignore, rows, form }: FileMapping) {
    // Entries that share a file leave out the same lines, which are counted once.
    const leftOut = [...(form.leaveOut ?? []), ...(rows?.leaveOut ?? [])];
    for (const [column, texts] of rows?.isFirst === false ? [] : leftOut)
      for (const { text } of texts) this.counts.set(ruleOf('leave_out', column, text), 0);
    if (form.repeatedHeader) this.counts.set(REPEATED_HEADER, 0);
    for (const field of owner.types.keys()) {
      const source = sources.get(field);
      const of = source && !('column' in source) ? undefined : (source?.form ?? formOf(field));
      const column = source && 'column' in source ? source.column : field;
      for (const text of of?.values?.keys() ?? []) this.add(column, text, ruleOf('values', field, text));
    }
    for (const text of rows?.texts ?? [])
      this.add(rows?.column ?? '', text, ruleOf('rows', rows?.column ?? '', text));
    // The rows of a JSON document are read from a copy without the members that are ignored.
    this.ignored = new Set(form.records === undefined ? ignore : []);
  }

  private add(column: string, text: string, rule: string): void {
    const texts = this.open.get(column) ?? new Map<string, string>();
    this.open.set(column, texts.set(text, rule));
  }

  /** Whether there are rules that no line has used so far. */
  get isOpen(): boolean {
    return this.open.size + this.ignored.size > 0;
  }

  /** The columns whose texts decide about a rule. */
  get columns(): Iterable<string> {
    return this.open.keys();
  }

  /** Count a line that a rule leaves out. */
  leftOut(rule: string): void {
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + 1);
  }

  /** Note that a line has a column, and its text. */
  see(column: string, text?: string): void {
    this.ignored.delete(column);
    const texts = text === undefined ? undefined : this.open.get(column);
    if (!texts) return;
    texts.delete(text ?? '');
    texts.delete(text?.trim() ?? '');
    if (texts.size === 0) this.open.delete(column);
  }

  get found(): RuleCounts {
    const unused = [
      ...[...this.open.values()].flatMap((texts) => [...texts.values()]),
      ...[...this.ignored].map((column) => `ignore ${JSON.stringify(column)}`),
    ];
    return Object.fromEntries([...this.counts, ...unused.map((rule) => [rule, 0] as const)]);
  }
}

export function ruleOf(rule: string, column: string, text: string): string {
  return `${rule} ${column} ${JSON.stringify(text)}`;
}
