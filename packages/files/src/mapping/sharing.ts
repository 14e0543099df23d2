import { partName, type Part } from '../text/parts.js';
import type { Form, NamedRows } from './form.js';

/** An entry, or one of its lists, that reads a file. */
interface Taker {
  readonly mapping: { readonly form: Form };
  readonly rows: NamedRows | undefined;
}

/** The part of a file that an entry reads; undefined if it reads the whole file. */
function partIn({ mapping: { form } }: Taker): Part | undefined {
  if (form.records !== undefined) return { is: 'records', text: form.records };
  return form.sheet === undefined ? undefined : { is: 'sheet', text: form.sheet };
}

/**
 * Select the entries that read a file or a part of it. If the first one reads a part, all that read a part share the
 * file. Otherwise a file with items of a list is used only for that list.
 */
export function sharing<Of extends Taker>(lists: readonly Of[], entries: readonly Of[]): readonly Of[] {
  const all = [...lists, ...entries];
  if (all[0] && partIn(all[0])) return all.filter(partIn);
  return lists.length > 0 ? lists : entries.filter((entry) => !partIn(entry));
}

/** Select the entries that read a part. For a file without parts, this is its first part. */
export function takersOf<Of extends Taker>(all: readonly Of[], part: Part | undefined): readonly Of[] {
  const wanted = part ?? (all[0] && partIn(all[0]));
  return all.filter((one) => partIn(one)?.text === wanted?.text);
}

/** The texts that identify the parts of a file: sheets or paths. */
export function textsOf(all: readonly Taker[]): readonly string[] {
  return [...new Set(all.flatMap((one) => partIn(one)?.text ?? []))];
}

/** The names of the parts of a file; the file's own name if there is only one. */
export function partsIn(all: readonly Taker[], file: string): readonly string[] {
  const names = all.flatMap((one) => {
    const part = partIn(one);
    return part ? [partName(file, part)] : [];
  });
  return new Set(names).size > 1 ? [...new Set(names)] : [file];
}
