import { ruleOf, WrongUsage, type FileMapping, type KindMapping, type NamedRows } from '@data-import/files';
import { grouped } from '../common/grouped.js';
import type { Kind } from '../kinds/kinds.js';
import type { FileSummary } from './preparation.js';

/** A rule that leaves something out, or that nothing uses. */
export interface LeftOut {
  /** Null where several files share the rule. */
  readonly file: string | null;
  readonly sheet: string | null;
  /** Such as `leave_out Account "Total *"`. */
  readonly rule: string;
  /** Lines that it leaves out, 0 where nothing uses it; null where whole files were not read. */
  readonly lines: number | null;
}

/** A file, as far as it says how its mapping was used. */
export type ReadFile = Pick<FileSummary, 'name' | 'rows' | 'leftOut' | 'rules' | 'others'>;

export interface ReadKind {
  readonly kind: Kind;
  readonly files: readonly ReadFile[];
}

type MappingOf = (kind: Kind) => KindMapping;

/** What the mapping leaves out of files, and its rules that nothing uses (choice L1). */
export function leftOutOf(preparations: Iterable<ReadKind>, mappingOf: MappingOf): LeftOut[] {
  return entriesOf(preparations, mappingOf).flatMap(({ files, sheet }) => {
    const used = files.flatMap(({ name, rules, leftOut = 0 }) =>
      // A load that an earlier version began knows only their number.
      Object.entries(rules ?? { 'skip_lines, leave_out': leftOut })
        .filter(([, lines]) => lines > 0)
        .map(([rule, lines]) => ({ file: name, sheet, rule, lines })),
    );
    const [first, ...others] = files;
    const unused = Object.keys(first?.rules ?? {}).filter((rule) =>
      files.every(({ rules }) => rules?.[rule] === 0),
    );
    const file = others.length > 0 ? null : (first?.name ?? null);
    return [...used, ...unused.map((rule) => ({ file, sheet, rule, lines: 0 }))];
  });
}

/** Whole files that are ignored, by the pattern, and patterns that ignore nothing. */
export function ignoredFiles(ignored: ReadonlyMap<string, number>, ofMapping: readonly string[]): LeftOut[] {
  return [...ignored].map(([pattern, files]) => {
    const rule = `${ofMapping.includes(pattern) ? 'ignore_files' : '--ignore'} ${JSON.stringify(pattern)}`;
    if (files === 0) return { file: null, sheet: null, rule, lines: 0 };
    return {
      file: null,
      sheet: null,
      rule: `${rule} (${files === 1 ? '1 file' : `${files} files`})`,
      lines: null,
    };
  });
}

/** @throws WrongUsage naming entries whose `rows` are in none of their files, although these have rows (choice L1) */
export function expectRecordTypes(preparations: Iterable<ReadKind>, mappingOf: MappingOf): void {
  for (const { files, rows } of entriesOf(preparations, mappingOf)) {
    const hasRecords = files.some(({ rows: count, others = 0 }) => count + others > 0);
    const rules = (rows?.texts ?? []).map((text) => ruleOf('rows', rows?.column ?? '', text));
    const isThere = rules.some((rule) => files.some((file) => file.rules?.[rule] !== 0));
    if (hasRecords && rules.length > 0 && !isThere)
      throw new WrongUsage(
        `${files.map(({ name }) => name).join(', ')}: an entry of the mapping file is for rows that are not there, so nothing is sent: ${rules.join(', ')}.`,
      );
  }
}

/** The files of each entry of the mapping. */
function entriesOf(
  preparations: Iterable<ReadKind>,
  mappingOf: MappingOf,
): { files: readonly ReadFile[]; sheet: string | null; rows: NamedRows | undefined }[] {
  return [...preparations].flatMap(({ kind, files }) => {
    const of = (file: ReadFile): FileMapping => mappingOf(kind).of(file.name);
    return [...grouped(files, (file) => of(file).name).values()].map((own) => {
      const mapping = own[0] && of(own[0]);
      return { files: own, sheet: mapping?.form.sheet ?? null, rows: mapping?.rows };
    });
  });
}
