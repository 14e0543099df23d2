import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  accountOf,
  namesIn,
  TOO_LONG,
  WrongUsage,
  type KindMapping,
  type RowError,
  type RowFacts,
  type Visit,
} from '@data-import/files';
import { ACCOUNT, FIELDS } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';
import { ExternalSort, sortingIn, type SortingOptions } from './external-sort.js';
import { untoldRow } from './joined-record.js';
import { aloneKey, Joiner, partRecord, type JoinedFile } from './joiner.js';
import { changedMeanwhile, prepare, readWhole, type ReadingOptions } from './prepare.js';
import { SORTED, sortedName } from './sort.js';
import { SortedReader } from './sorted-file.js';
import type { FileSummary, Preparation } from './preparation.js';

/** The maximum length of a key, in characters of its JSON. */
const KEY_LENGTH_MAX = 1_000;

/** Runs are smaller here: rows are joined while a run is in memory, which takes more memory than reading rows. */
const RUN_BYTES = 16_777_216;

/** The number of keys that are joined between two checks of the signal. */
const KEYS_A_LOOK = 4_096;

/** Whether the rows of the files are joined from several files. */
export function isJoined(names: readonly string[], mapping: KindMapping): boolean {
  return names.some((name) => mapping.of(name).join !== undefined);
}

/**
 * Read the files of a kind once, see {@link prepare}. Files whose rows have lists in other files are joined, and their
 * sorted copy is made.
 *
 * @throws WrongUsage, UnreadableInput that name the file
 */
export function prepareRows(
  kind: Kind,
  names: readonly string[],
  options: ReadingOptions,
): Promise<Preparation> {
  return isJoined(names, options.mapping) ? joinFiles(kind, names, options) : prepare(kind, names, options);
}

/**
 * Make the sorted copy of a joined kind, unless it exists.
 *
 * @returns its path
 * @throws UnreadableInput, also when a file has changed since it was prepared
 */
export async function ensureJoined(preparation: Preparation, options: ReadingOptions): Promise<string> {
  const { kind, files } = preparation;
  const name = sortedName(preparation, options);
  if (!(await namesIn(options.workFolder)).includes(name)) {
    const made = await joinFiles(
      kind,
      files.map((file) => file.name),
      options,
    );
    const changed = made.files.find(({ sha256 }, index) => sha256 !== files[index]?.sha256);
    if (changed) throw changedMeanwhile(changed.name);
  }
  return join(options.workFolder, name);
}

/**
 * Join the rows of some files with the items of their lists in other files, in constant memory: all records are sorted by key, one
 * pass joins them, and the joined rows are sorted by account, as in every kind whose accounts are not together.
 *
 * Source: choices L2, L11.
 */
async function joinFiles(
  kind: Kind,
  names: readonly string[],
  options: ReadingOptions,
): Promise<Preparation> {
  const { workFolder, mapping, progress, signal } = options;
  const sorting = { sizes: { run: RUN_BYTES, ...options.sizes }, ...(signal && { signal }) };
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const begin = `${SORTED}${kind}-`;
  return sortingIn(workFolder, begin, async () => {
    const keys = join(workFolder, `${begin}keys`);
    const files = names.map((name, index) => ({ name, index, join: mapping.of(name).join }));
    expectLists(files);
    const reading = new Reading(kind, files.length, options);
    const parts = await sortParts(keys, files, reading, sorting);
    const byAccount = new ExternalSort(join(workFolder, `${begin}rows`), sorting);
    let rows = 0;
    for (const file of files) if (!file.join) rows += await reading.addRows(byAccount, file);
    rows += await joinParts(keys, byAccount, parts, options);
    await rm(keys);
    const preparation = { kind, files: reading.summaries, rows, isGrouped: false };
    const path = join(workFolder, sortedName(preparation, options));
    await byAccount.finish(path);
    progress?.(kind, 1);
    return preparation;
  });
}

/** @throws WrongUsage for rows with a list that has no file, because they would be sent without it */
function expectLists(files: readonly JoinedFile[]): void {
  for (const { name, join: rows } of files) {
    if (!rows || rows.list !== undefined) continue;
    const isThere = (list: string): boolean =>
      files.some(({ join: items }) => items?.entry === rows.entry && items.list === list);
    const missing = rows.lists.find((list) => !isThere(list));
    if (missing === undefined) continue;
    throw new WrongUsage(
      `${name} has its ${missing} in another file, and no file of the folder fits "from" in the mapping file. Where there are none, add an empty file.`,
    );
  }
}

/**
 * Sort the records of the joined files. This is a separate function, so that the memory of the sort is free for the next one.
 *
 * @returns the files in the order of their numbers in the sorted file
 */
async function sortParts(
  path: string,
  files: readonly JoinedFile[],
  reading: Reading,
  options: SortingOptions,
): Promise<JoinedFile[]> {
  const sort = new ExternalSort(path, options);
  const parts = inOrderOfParts(files);
  for (const [order, file] of parts.entries()) await reading.addParts(sort, order, file);
  await sort.finish(path);
  return parts;
}

/** The joined files: first the files with rows, then the files with items, in the order of the lists. */
function inOrderOfParts(files: readonly JoinedFile[]): JoinedFile[] {
  const order = ({ join: joined }: JoinedFile): number => joined?.lists.indexOf(joined.list ?? '') ?? 0;
  return files.filter((file) => file.join).sort((one, other) => order(one) - order(other));
}

/** Reads files into sorts. */
class Reading {
  readonly summaries: FileSummary[] = [];
  private read = 0;

  constructor(
    private readonly kind: Kind,
    private readonly count: number,
    private readonly options: ReadingOptions,
  ) {}

  /** @param order the number of the file among the joined files */
  async addParts(sort: ExternalSort, order: number, file: JoinedFile): Promise<void> {
    await this.visit(sort, file, (record, problem, reader) => {
      const { line } = record;
      const part = problem ? { fields: undefined, error: problem, key: [] } : reader.part(record);
      const { fields, key } = part;
      const text = JSON.stringify([file.join?.entry, ...key]);
      const isKey = fields !== undefined && text.length <= KEY_LENGTH_MAX && key.some((one) => one !== '');
      const error = part.error ?? (isKey ? undefined : keyError(file, text));
      const account = fields?.get(ACCOUNT);
      const content = partRecord({
        error,
        account: account === undefined ? '' : accountText(FIELDS[this.kind].row, JSON.parse(account)),
        json: fields?.without() ?? untoldRow(record),
      });
      const placed = { bytes: content, from: 0, to: content.length, line };
      sort.add(isKey ? text : aloneKey(order, line), order, placed, false);
    });
  }

  /** @returns the number of rows in the file */
  addRows(sort: ExternalSort, file: JoinedFile): Promise<number> {
    return this.visit(sort, file, (record, problem, reader) => {
      const account = (problem ? undefined : reader.account(record)) ?? '';
      sort.add(account, file.index, record, problem === TOO_LONG);
    });
  }

  private async visit(sort: ExternalSort, { name, index }: JoinedFile, visit: Visit): Promise<number> {
    const { kind, options, count } = this;
    let rows = 0;
    const summary = await readWhole(
      kind,
      name,
      options,
      (...record) => {
        rows += 1;
        visit(...record);
      },
      async () => {
        options.progress?.(kind, (this.read + 0.5) / (2 * count));
        if (sort.isFull) await sort.writeRun();
      },
    );
    this.read += 1;
    this.summaries[index] = { ...summary, rows };
    return rows;
  }
}

function accountText(facts: RowFacts, value: unknown): string {
  const account = accountOf(facts, value);
  return typeof account === 'string' ? account : '';
}

/** A row without a key has no items in other files. An item without a key belongs to no row and is an error. */
function keyError({ join: joined }: JoinedFile, text: string): RowError | undefined {
  const columns = joined?.key.join(', ') ?? '';
  if (text.length > KEY_LENGTH_MAX)
    return { code: 'max_length', attr: '', detail: `The key (${columns}) is too long.` };
  if (joined?.list === undefined) return undefined;
  return { code: 'no_parent_row', attr: joined.list, detail: `The item has no key: ${columns} is empty.` };
}

/**
 * Join the records that have the same key.
 *
 * @returns the number of rows
 */
async function joinParts(
  path: string,
  sort: ExternalSort,
  files: readonly JoinedFile[],
  { signal }: ReadingOptions,
): Promise<number> {
  const sorted = new SortedReader(path);
  const joiner = new Joiner(files, sort);
  try {
    for (let records = 1; sorted.next(); records += 1) {
      const { bytes, at, length, contentFrom, account: key, place } = sorted;
      joiner.add(key, place.file, place.line, bytes.subarray(contentFrom, at + length));
      if (records % KEYS_A_LOOK === 0) signal?.throwIfAborted();
      if (sort.isFull) await sort.writeRun();
    }
    joiner.end();
    return joiner.rows;
  } finally {
    sorted.close();
  }
}
