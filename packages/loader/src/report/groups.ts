import type { Failed } from '../journal/events.js';
import type { Kind } from '../kinds/kinds.js';
import type { Origin } from '../rows/row.js';

/** Failed rows with the same cause. */
export interface FailureGroup {
  /** From 1, the largest group first. */
  readonly number: number;
  readonly kind: Kind;
  readonly code: string;
  /** Path within the row, without the indexes of lists. */
  readonly attr: string;
  /** What was refused, where the field takes one of a list of values. */
  readonly value?: string;
  readonly detail: string;
  /** Number of rows; a row with several errors is in several groups. */
  readonly count: number;
  readonly first: Origin;
}

/** More groups of different values of one field are one group. */
const VALUES_MAX = 50;

/** What an error is grouped by. */
interface Cause {
  readonly kind: Kind;
  readonly code: string;
  readonly attr: string;
  readonly value?: string;
}

interface Counted extends Cause {
  readonly detail: string;
  count: number;
  start: number;
  first: Origin;
}

/** The causes of a failed row, each once. */
function causesOf({ kind, errors }: Failed): (Cause & { detail: string })[] {
  const causes = new Map<string, Cause & { detail: string }>();
  for (const { code, attr, value, detail } of errors) {
    const cause = { kind, code, attr: withoutIndexes(attr), ...(value !== undefined && { value }), detail };
    const name = nameOf(cause);
    if (!causes.has(name)) causes.set(name, cause);
  }
  return [...causes.values()];
}

/** Group failed rows by kind, code, field and refused value. */
export async function groupFailures(failures: AsyncIterable<Failed>): Promise<FailureGroup[]> {
  const groups = new Map<string, Counted>();
  for await (const failed of failures) {
    for (const cause of causesOf(failed)) {
      const group = groups.get(nameOf(cause));
      if (!group) {
        groups.set(nameOf(cause), { ...cause, count: 1, start: failed.start, first: failed.origin });
        continue;
      }
      group.count += 1;
      if (failed.start < group.start) {
        group.start = failed.start;
        group.first = failed.origin;
      }
    }
  }
  const all = merged([...groups.values()]).sort(
    (a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
  return all.map(({ start: _start, ...group }, index) => ({ number: index + 1, ...group }));
}

/** Whether a failed row belongs to a group. */
export function isInGroup(failed: Failed, group: FailureGroup): boolean {
  return causesOf(failed).some(
    (cause) =>
      cause.kind === group.kind &&
      cause.code === group.code &&
      cause.attr === group.attr &&
      (group.value === undefined || cause.value === group.value),
  );
}

/** A field with very many refused values is most likely a wrong column: one group says so better. */
function merged(groups: readonly Counted[]): Counted[] {
  const byField = new Map<string, Counted[]>();
  for (const group of groups) {
    const { kind, code, attr } = group;
    const field = nameOf({ kind, code, attr });
    byField.set(field, [...(byField.get(field) ?? []), group]);
  }
  return [...byField.values()].flatMap((same) => {
    const [first] = same;
    if (!first || same.length <= VALUES_MAX) return same;
    const earliest = same.reduce((a, b) => (b.start < a.start ? b : a));
    const { kind, code, attr, detail, start, first: place } = earliest;
    const count = same.reduce((sum, group) => sum + group.count, 0);
    return [{ kind, code, attr, detail, start, first: place, count }];
  });
}

function nameOf({ kind, code, attr, value }: Cause): string {
  return JSON.stringify([kind, code, attr, value]);
}

/** `line_items.3.net_amount` is `line_items.net_amount`. */
function withoutIndexes(attr: string): string {
  return attr
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
}
