import { ruleOf, WrongUsage, type KindMapping, type RuleCounts } from '@data-import/files';
import { grouped } from '../common/grouped.js';
import type { Kind } from '../kinds/kinds.js';
import type { FolderContent } from './folder.js';
import type { FileSummary, Preparation } from './preparation.js';

/** A rule that leaves something out, or that is not used. */
export interface LeftOut {
  /** Null if several files share the rule. */
  readonly file: string | null;
  readonly sheet: string | null;
  /** The text of the rule, such as `leave_out Account "Total *"`. */
  readonly rule: string;
  /** The number of lines that it leaves out; 0 if it is not used; null if whole files were not read. */
  readonly lines: number | null;
}

/** A file that was read, and its use of the mapping. */
export interface UsedFile {
  readonly kind: Kind;
  readonly name: string;
  /** The name that is shown; by default the name of the file. */
  readonly label?: string;
  readonly rows: number;
  readonly leftOut?: number | undefined;
  readonly rules?: RuleCounts | undefined;
  readonly others?: number | undefined;
}

type MappingOf = (kind: Kind) => KindMapping;

export function usedFiles(preparations: Iterable<Preparation>): (UsedFile & FileSummary)[] {
  return [...preparations].flatMap(({ kind, files }) => files.map((file) => ({ ...file, kind })));
}

/** The rules by which the mapping and the options leave something out of folders, and rules that are not used (choice L1). */
export function leftOutOf(
  files: readonly UsedFile[],
  mapping: { readonly of: MappingOf; readonly ignore: readonly string[] },
  contents: readonly Pick<FolderContent, 'ignored'>[],
): LeftOut[] {
  const ofFiles = ofEntries(files, mapping.of).flatMap((own) => {
    const [first, ...others] = own;
    const sheet = (first && mapping.of(first.kind).of(first.name).form.sheet) ?? null;
    const used = own.flatMap(({ name, label = name, rules, leftOut = 0 }) =>
      // A load that was started by an earlier version has only the total number of lines.
      Object.entries(rules ?? { 'skip_lines, leave_out': leftOut })
        .filter(([, lines]) => lines > 0)
        .map(([rule, lines]) => ({ file: label, sheet, rule, lines })),
    );
    const unused = Object.keys(first?.rules ?? {}).filter((rule) => isUnused(own, rule));
    const file = others.length > 0 ? null : (first?.label ?? first?.name ?? null);
    return [...used, ...unused.map((rule) => ({ file, sheet, rule, lines: 0 }))];
  });
  const patterns = [...new Set(contents.flatMap(({ ignored }) => [...ignored.keys()]))];
  const ofPatterns = patterns.map((pattern) => {
    const count = contents.reduce((sum, { ignored }) => sum + (ignored.get(pattern) ?? 0), 0);
    const files = count === 0 ? '' : ` (${count === 1 ? '1 file' : `${count} files`})`;
    const from = mapping.ignore.includes(pattern) ? 'ignore_files' : '--ignore';
    const rule = `${from} ${JSON.stringify(pattern)}${files}`;
    return { file: null, sheet: null, rule, lines: count === 0 ? 0 : null };
  });
  return [...ofFiles, ...ofPatterns];
}

/** @throws WrongUsage that names entries whose `rows` occur in none of their files, although these have rows (choice L1) */
export function expectRecordTypes(files: readonly UsedFile[], mappingOf: MappingOf): void {
  for (const own of ofEntries(files, mappingOf)) {
    const [first] = own;
    const rows = first && mappingOf(first.kind).of(first.name).rows;
    const rules = (rows?.texts ?? []).map((text) => ruleOf('rows', rows?.column ?? '', text));
    const hasRecords = own.some(({ rows: count, others = 0 }) => count + others > 0);
    if (hasRecords && rules.length > 0 && rules.every((rule) => isUnused(own, rule)))
      throw new WrongUsage(
        `${own.map(({ name }) => name).join(', ')}: an entry of the mapping file is for rows that are not there, so nothing is sent: ${rules.join(', ')}.`,
      );
  }
}

/** The files of each entry of the mapping. */
function ofEntries(files: readonly UsedFile[], mappingOf: MappingOf): UsedFile[][] {
  return [...grouped(files, ({ kind, name }) => `${kind} ${mappingOf(kind).of(name).name}`).values()];
}

function isUnused(files: readonly UsedFile[], rule: string): boolean {
  return files.every(({ rules }) => rules?.[rule] === 0);
}
