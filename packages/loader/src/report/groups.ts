import { shownPlace, type ShownPlace } from '@data-import/files';
import { grouped } from '../common/grouped.js';
import type { Failed } from '../journal/events.js';
import type { Kind } from '../kinds/kinds.js';
import type { Omitted } from '../verify/compared.js';
import type { PlacedDifference, Problem } from '../verify/result.js';

/** Failed rows with the same cause. */
export interface FailureGroup {
  /** The number of the group. The largest group has number 1. */
  readonly number: number;
  readonly kind: Kind;
  readonly code: string;
  /** Path within the row, without the indexes of lists. */
  readonly attr: string;
  /** The refused value, if the field takes one of a list of values. */
  readonly value?: string;
  readonly detail: string;
  /** The number of rows. A row with several errors is in several groups. */
  readonly count: number;
  readonly first: ShownPlace;
}

/** Differences with the same cause. */
export interface DifferenceGroup {
  readonly number: number;
  readonly kind: Kind;
  readonly code: Problem;
  /**
   * Path within the row, without the indexes of lists. It is empty if only one side has the row, or if the fields were
   * not compared.
   */
  readonly attr: string;
  /** The number of rows. A row with several differing fields is in several groups. */
  readonly count: number;
  /** Null if only the service has the rows, or if none of them is named. */
  readonly first: ShownPlace | null;
}

/** If a field has more groups that differ only in the value, they become one group. */
const VALUES_MAX = 50;

/** The properties by which rows are grouped. */
type Cause = Pick<FailureGroup, 'kind' | 'code' | 'attr' | 'value'>;

/** The number of rows with the same cause. `first` is the place of the row with the smallest `start`. */
interface Counted extends Cause {
  count: number;
  start: number;
  first: ShownPlace | null;
}

function addTo<Of extends Counted>(groups: Map<string, Of>, one: Of): void {
  const group = groups.get(nameOf(one));
  if (!group) {
    groups.set(nameOf(one), { ...one });
    return;
  }
  group.count += one.count;
  if (one.start < group.start) Object.assign(group, { start: one.start, first: one.first });
}

/** The groups, the largest first, numbered from 1. */
function numbered<Of extends Counted>(
  groups: ReadonlyMap<string, Of>,
): (Omit<Of, 'start'> & { readonly number: number })[] {
  const all = merged([...groups.values()]).sort(
    (a, b) => b.count - a.count || (nameOf(a) < nameOf(b) ? -1 : 1),
  );
  return all.map(({ start: _start, ...group }, index) => ({ number: index + 1, ...group }));
}

/** The different causes of a failed row. */
function causesOf({ kind, errors }: Failed): (Cause & { detail: string })[] {
  const causes = errors.map(({ code, attr, value, detail }) => {
    return { kind, code, attr: withoutIndexes(attr), ...(value !== undefined && { value }), detail };
  });
  return [...grouped(causes, nameOf).values()].flatMap((same) => same.slice(0, 1));
}

/** Group failed rows by kind, code, field and refused value. */
export async function groupFailures(failures: AsyncIterable<Failed>): Promise<FailureGroup[]> {
  const groups = new Map<string, Counted & { readonly detail: string; first: ShownPlace }>();
  for await (const failed of failures) {
    const { start } = failed;
    const first = shownPlace(failed.origin);
    for (const cause of causesOf(failed)) addTo(groups, { ...cause, count: 1, start, first });
  }
  return numbered(groups);
}

/**
 * Group differences by kind, problem and field.
 *
 * @param labels the labels of the files, in order
 * @param omitted the differences that are not named
 */
export function groupDifferences(
  differences: readonly PlacedDifference[],
  labels: readonly string[],
  omitted: Iterable<Omitted>,
): DifferenceGroup[] {
  const indexes = new Map(labels.map((label, index) => [label, index]));
  const groups = new Map<string, Counted & Pick<DifferenceGroup, 'code'>>();
  for (const { kind, problem: code, fields, file, line } of differences) {
    const isPlaced = file !== null && line !== null;
    const first = isPlaced ? shownPlace({ file, line }) : null;
    const start = isPlaced ? (indexes.get(file) ?? 0) * 2 ** 32 + line : Infinity;
    for (const attr of new Set(fields.length === 0 ? [''] : fields.map(withoutIndexes)))
      addTo(groups, { kind, code, attr, count: 1, start, first });
  }
  for (const [kind, code, count] of omitted)
    addTo(groups, { kind, code, attr: '', count, start: Infinity, first: null });
  return numbered(groups);
}

/** Whether a failed row belongs to a group. */
export function isInGroup(failed: Failed, group: FailureGroup): boolean {
  return causesOf(failed).some(
    (cause) => nameOf(cause) === nameOf(group) || nameOf({ ...cause, value: undefined }) === nameOf(group),
  );
}

/**
 * Merge the groups of a field with very many refused values. Such a field most likely has the wrong column, which one
 * group shows better.
 */
function merged<Of extends Counted>(groups: readonly Of[]): Of[] {
  const byField = grouped(groups, ({ kind, code, attr }) => nameOf({ kind, code, attr }));
  return [...byField.values()].flatMap((same) => {
    if (same.length <= VALUES_MAX) return same;
    const earliest = same.reduce((a, b) => (b.start < a.start ? b : a));
    const count = same.reduce((sum, group) => sum + group.count, 0);
    return [{ ...earliest, value: undefined, count }];
  });
}

function nameOf({ kind, code, attr, value }: Cause): string {
  return JSON.stringify([kind, code, attr, value]);
}

/** A path without the indexes of lists: `line_items.net_amount` for `line_items.3.net_amount`. */
function withoutIndexes(attr: string): string {
  return attr
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.');
}
