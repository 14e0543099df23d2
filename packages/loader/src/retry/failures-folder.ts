import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hashFile,
  namesIn,
  shownPlace,
  UnreadableInput,
  writeWhole,
  WrongUsage,
  type KindMapping,
  type Origin,
} from '@data-import/files';
import type { Arrived, Failed, RawText } from '../journal/events.js';
import type { Journal } from '../journal/journal.js';
import { rawText } from '../journal/raw-text.js';
import type { JournalState } from '../journal/state.js';
import { failedRows, readCorrections } from './corrections.js';
import { withoutFormulas } from '../common/csv.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { kindOfRowFile, writeRowFiles, type RowForms, type WrittenRow } from './row-files.js';

/**
 * The most failed rows of a kind that are sorted into the order of their files. If there are more, they stay in the
 * order in which they failed.
 */
const SORTED_ROWS_MAX = 200_000;

/** The forms of the files in a journal. */
export function formsOf(state: JournalState): RowForms {
  const forms = KINDS.flatMap((kind) => {
    const { preparation, headers = {} } = state.of(kind).prepared ?? {};
    return (preparation?.files ?? []).map(
      ({ name, mapping = '', isJoined = false, isFixed = false }) =>
        [name, { kind, header: headers[name], mapping, isJoined, isFixed }] as const,
    );
  });
  return new Map(forms);
}

/**
 * The folder with the rows that failed and did not arrive, in the form of the input. It is derived from the journal.
 * Corrections in it are kept when it is rewritten.
 */
export class FailuresFolder {
  private readonly hashes: string;
  private readonly kept: string;

  /**
   * @param path the path of the folder
   * @param workFolder the folder for notes about how the files were written
   * @param holds `corrections` if people correct its files, `rows` for the failed rows of a dry run, `errors` for only the
   * errors of rows that are in `failures/`
   * @param say prints a sentence for the person at the terminal
   */
  constructor(
    private readonly path: string,
    workFolder: string,
    private readonly holds: 'corrections' | 'rows' | 'errors',
    private readonly say: (sentence: string) => void,
  ) {
    this.hashes = join(workFolder, 'failures.json');
    this.kept = join(workFolder, 'kept');
  }

  /** Corrections that were not sent, by the positions of the rows. */
  async edits(
    journal: Journal,
    mappingOf: (kind: Kind) => KindMapping,
  ): Promise<ReadonlyMap<Kind, ReadonlyMap<number, RawText>>> {
    const forms = formsOf(journal.state);
    const edits = new Map<Kind, ReadonlyMap<number, RawText>>();
    for (const kind of await this.editedKinds()) {
      edits.set(kind, await this.editsOf(kind, journal, mappingOf(kind), forms));
    }
    return edits;
  }

  /** Rewrite the files. */
  async write(journal: Journal, mappingOf: (kind: Kind) => KindMapping): Promise<void> {
    const forms = formsOf(journal.state);
    const edits = await this.edits(journal, mappingOf);
    async function* rows(): AsyncGenerator<WrittenRow> {
      for (const kind of KINDS) {
        if (journal.state.of(kind).failed === 0) continue;
        for await (const failed of failuresIn(kind, journal)) {
          const raw = edits.get(kind)?.get(failed.start) ?? failed.raw;
          yield { kind, origin: failed.origin, raw, notes: () => notesOf(failed) };
        }
      }
    }
    const columns = ['file', 'line', 'external_account_number', 'code', 'attr', 'detail', 'sheet'];
    const isOnlyAbout = this.holds === 'errors';
    const written = await writeRowFiles(this.path, rows(), { suffix: 'errors', columns, forms, isOnlyAbout });
    // If this is lost, the files count as edited and are compared row by row.
    if (this.holds !== 'corrections') return;
    await writeWhole(this.hashes, (file) => {
      file.add(JSON.stringify(Object.fromEntries(written)));
    });
    const others = (await namesIn(this.path)).filter((name) => !written.has(name) && !name.startsWith('.'));
    if (others.length > 0)
      this.say(`Not the loader's, and left alone in ${this.path}: ${others.join(', ')}.`);
  }

  /** Move edited files out of the way. */
  async setAside(): Promise<void> {
    for (const kind of await this.editedKinds()) await this.keep(kind);
  }

  /** The kinds with a file that differs from the one that was written. */
  private async editedKinds(): Promise<ReadonlySet<Kind>> {
    if (this.holds !== 'corrections') return new Set();
    const text = await readFile(this.hashes, 'utf8').catch(() => '{}');
    const written = JSON.parse(text) as Record<string, string>;
    const edited = new Set<Kind>();
    for (const name of await namesIn(this.path)) {
      const kind = kindOfRowFile(name);
      if (kind !== undefined && (await hashFile(join(this.path, name))) !== written[name]) edited.add(kind);
    }
    return edited;
  }

  private async editsOf(
    kind: Kind,
    journal: Journal,
    mapping: KindMapping,
    forms: RowForms,
  ): Promise<ReadonlyMap<number, RawText>> {
    if (journal.state.of(kind).failed > SORTED_ROWS_MAX) return this.keep(kind);
    try {
      const failed = await failedRows(kind, journal.events(), journal.state);
      const corrections = await readCorrections(this.path, kind, failed, { mapping, forms });
      const edited = corrections.filter(({ isEdited }) => isEdited);
      return new Map(edited.map(({ row, of }) => [of.first.start, rawText(row.raw)]));
    } catch (error) {
      if (!(error instanceof WrongUsage || error instanceof UnreadableInput)) throw error;
      this.say(error.message);
      return this.keep(kind);
    }
  }

  private async keep(kind: Kind): Promise<ReadonlyMap<number, RawText>> {
    await mkdir(this.kept, { recursive: true, mode: 0o700 });
    for (const name of await namesIn(this.path)) {
      if (kindOfRowFile(name) !== kind) continue;
      const path = join(this.kept, `${Date.now()}-${name}`);
      await rename(join(this.path, name), path);
      this.say(
        `${join(this.path, name)} was edited, and its rows could not be told apart; it is kept as ${path}.`,
      );
    }
    return new Map();
  }
}

/** The failed rows of a kind. They are in the order of its files unless there are too many. */
async function* failuresIn(kind: Kind, journal: Journal): AsyncGenerator<Failed> {
  if (journal.state.of(kind).failed > SORTED_ROWS_MAX) {
    for await (const failed of journal.failures()) if (failed.kind === kind) yield failed;
    return;
  }
  for (const { last, isThere } of await failedRows(kind, journal.events(), journal.state)) {
    if (!isThere) yield last;
  }
}

function notesOf({ origin, account = '', errors }: Failed): (string | number)[][] {
  const { file, sheet, line } = shownPlace(origin);
  return errors.map(({ code, attr, detail, seen }) => [
    withoutFormulas(file),
    line,
    ...[account, code, attr, seen === undefined ? detail : `${detail} Seen: ${seen}`, sheet ?? ''].map(
      withoutFormulas,
    ),
  ]);
}

/** The last event of each corrected row that arrived, in the order of the files. */
export async function arrivedCorrections(journal: Journal): Promise<Arrived[]> {
  const arrived = new Map<string, Arrived>();
  for await (const { event } of journal.events()) {
    if (event.event !== 'arrived' || !journal.state.of(event.kind).arrived.has(event.start)) continue;
    const place = `${event.kind} ${event.start}`;
    if (event.raw === undefined) arrived.delete(place);
    else arrived.set(place, event);
  }
  return [...arrived.values()];
}

/** Write the corrected rows that arrived, each with the file and line of the row that it replaces. */
export async function writeCorrectedFiles(folder: string, journal: Journal): Promise<void> {
  const arrived = await arrivedCorrections(journal);
  const rows = arrived.flatMap(({ kind, origin, raw }): WrittenRow[] =>
    raw === undefined
      ? []
      : [{ kind, origin, raw, notes: (file, line) => [replacedNote(origin, file, line)] }],
  );
  const columns = ['file', 'line', 'corrected_file', 'corrected_line', 'sheet', 'place'];
  const forms = formsOf(journal.state);
  await writeRowFiles(join(folder, 'corrected'), oneByOne(rows), { suffix: 'replaces', columns, forms });
}

/** The note about a replaced row. `place` is added if the file and line alone do not identify it. */
function replacedNote(origin: Origin, correctedFile: string, correctedLine: number): (string | number)[] {
  const { file, sheet, line } = shownPlace(origin);
  const place =
    file === origin.file && line === origin.line ? '' : JSON.stringify([origin.file, origin.line]);
  return [file, line, correctedFile, correctedLine, sheet ?? '', place];
}

async function* oneByOne(rows: readonly WrittenRow[]): AsyncGenerator<WrittenRow> {
  for (const row of rows) yield await Promise.resolve(row);
}
