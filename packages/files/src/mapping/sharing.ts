import { partName, type Part } from '../text/parts.js';
import type { Form, NamedRows } from './form.js';

/** An entry of a mapping that fits a file, or one of its lists. */
interface Taker {
  readonly mapping: { readonly form: Form };
  readonly rows: NamedRows | undefined;
}

/** Which part of a file an entry takes; undefined when it takes the file. */
function partIn({ mapping: { form } }: Taker): Part | undefined {
  if (form.records !== undefined) return { is: 'records', text: form.records };
  return form.sheet === undefined ? undefined : { is: 'sheet', text: form.sheet };
}

/**
 * Those that each take the file or a part of it. A file with items of a list has no other role. Where the first takes a part, all that
 * do share the file.
 */
export function sharing<Of extends Taker>(lists: readonly Of[], entries: readonly Of[]): readonly Of[] {
  const all = [...lists, ...entries];
  if (all[0] && partIn(all[0])) return all.filter(partIn);
  return lists.length > 0 ? lists : entries.filter((entry) => !partIn(entry));
}

/** Those that take a part; of a file without parts, the first of it. */
export function takersOf<Of extends Taker>(all: readonly Of[], part: Part | undefined): readonly Of[] {
  const wanted = part ?? (all[0] && partIn(all[0]));
  return all.filter((one) => partIn(one)?.text === wanted?.text);
}

/** What is said of the parts of a file. */
export function textsOf(all: readonly Taker[]): readonly string[] {
  return [...new Set(all.flatMap((one) => partIn(one)?.text ?? []))];
}

/** The names of the parts of a file; its own where there is only one. */
export function partsIn(all: readonly Taker[], file: string): readonly string[] {
  const names = all.flatMap((one) => {
    const part = partIn(one);
    return part ? [partName(file, part)] : [];
  });
  return new Set(names).size > 1 ? [...new Set(names)] : [file];
}
