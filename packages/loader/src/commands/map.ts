import { basename, dirname } from 'node:path';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { openNew } from '../common/files.js';
import { unknownName } from '../common/near-matches.js';
import { propose, type ColumnSample, type Proposal } from '../mapping/propose.js';
import { BlockReader } from '../rows/blocks.js';
import { openSource } from '../rows/byte-source.js';
import { CsvFinder } from '../rows/csv-finder.js';
import { toRow, visitFile, type Visit } from '../rows/file-records.js';
import { isCsv, kindOf } from '../rows/folder.js';
import { parseMapping, NO_MAPPING } from '../rows/mapping.js';
import { LineFinder } from '../rows/records.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { type Origin, type ReadRow } from '../rows/row.js';
import { commandText, optionsText } from './continue.js';
import type { Terminal } from './terminal.js';

/** Rows whose values decide the forms of dates and decimals. */
const SAMPLED_ROWS = 200;

const SHOWN_ROWS = 3;

export interface MapOptions {
  /** Where the name of the file does not say it. */
  readonly kind?: string | undefined;
  /** A file for the proposal; without it the proposal is part of the output. */
  readonly output?: string | undefined;
}

/** A row as it would be sent, or why it would not. */
export interface ShownRow {
  readonly origin: Origin;
  readonly account: string | undefined;
  readonly item?: string;
  readonly problem?: string;
}

export interface MapResult {
  readonly kind: Kind;
  /** The mapping file, by kind. */
  readonly mapping: Readonly<Partial<Record<Kind, Proposal>>>;
  readonly remarks: readonly string[];
  readonly rows: readonly ShownRow[];
}

/**
 * Propose a mapping file for a file of any column names, and show its first rows as they would be sent with it.
 *
 * @throws WrongUsage, UnreadableInput
 */
export async function mapFile(path: string, options: MapOptions): Promise<MapResult> {
  const kind = chosenKind(path, options.kind);
  const { proposal, remarks } = propose(kind, await sampleColumns(path));
  const mapping = { [kind]: proposal };
  try {
    return { kind, mapping, remarks, rows: await firstRows(path, kind, JSON.stringify(mapping)) };
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    return { kind, mapping, remarks: [...remarks, error.message], rows: [] };
  }
}

/**
 * The command `map`: the proposal goes to standard output or a new file, everything about it to standard error.
 *
 * @throws WrongUsage, UnreadableInput
 */
export async function mapCommand(
  path: string,
  options: MapOptions,
  io: {
    readonly out: (text: string) => void;
    readonly err: (text: string) => void;
    readonly environment: Terminal['environment'];
  },
): Promise<void> {
  const { mapping, remarks, rows } = await mapFile(path, options);
  const text = `${JSON.stringify(mapping, undefined, 2)}\n`;
  if (options.output === undefined) io.out(text);
  else await writeNew(options.output, text);
  for (const remark of remarks) io.err(`${remark}\n`);
  if (rows.length > 0) io.err('The first rows as they would be sent:\n');
  for (const { origin, account, item, problem } of rows) {
    io.err(
      `  line ${origin.line}, account ${account ?? 'unknown'}: ${item ?? `not sent: ${problem ?? ''}`}\n`,
    );
  }
  if (options.output !== undefined) {
    io.err(`Written to ${options.output}. Check it, then:\n`);
    const loading = optionsText({ mapping: options.output, dryRun: true });
    io.err(`${commandText('load', dirname(path), loading, io.environment)}\n`);
  }
}

function chosenKind(path: string, wanted: string | undefined): Kind {
  const name = basename(path);
  const kind = wanted === undefined ? kindOf(name) : KINDS.find((known) => known === wanted);
  if (kind) return kind;
  if (wanted !== undefined) throw unknownName(`${wanted} is no kind of file.`, wanted, KINDS);
  throw new WrongUsage(
    `The name ${name} does not say what the file holds; name it with --kind: ${KINDS.join(', ')}.`,
  );
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await openNew(path);
  await file.writeFile(text);
  await file.close();
}

async function firstRows(path: string, kind: Kind, mappingText: string): Promise<ShownRow[]> {
  const mapping = parseMapping(mappingText, 'the proposal').get(kind) ?? NO_MAPPING;
  const rows: ReadRow[] = [];
  const visit: Visit = (...record) => {
    if (rows.length < SHOWN_ROWS) rows.push(toRow(...record));
  };
  await visitFile({ folder: dirname(path), kind, mapping }, basename(path), visit, {
    blockRead: () => Promise.resolve(false),
  });
  return rows.map((row) => {
    const { origin, account } = row;
    if (!row.error) return { origin, account, item: row.item };
    const { attr, detail } = row.error;
    return { origin, account, problem: attr === '' ? detail : `${attr}: ${detail}` };
  });
}

/** The names of the columns, of NDJSON those of the members, and values of the first rows. */
async function sampleColumns(path: string): Promise<ColumnSample[]> {
  const source = await openSource(path);
  try {
    const blocks = new BlockReader(source, false);
    await blocks.advance(0);
    const samples = isCsv(basename(path)) ? csvSamples(blocks) : jsonSamples(blocks);
    if (samples.length === 0)
      throw new UnreadableInput(`${basename(path)} has no header and no rows to look at.`);
    return samples;
  } finally {
    await source.close();
  }
}

function csvSamples({ bytes, length, isLast }: BlockReader): ColumnSample[] {
  const finder = new CsvFinder();
  const rows: string[][] = [];
  let at = bytes.subarray(0, 3).toString() === '\uFEFF' ? 3 : 0;
  while (at < length && rows.length <= SAMPLED_ROWS) {
    const next = finder.find(bytes, at, length, isLast);
    if (next === -1) break;
    at = next;
    if (finder.isBlank || finder.problem) continue;
    rows.push(Array.from({ length: finder.count }, (_, index) => finder.cell(bytes, index)));
  }
  const [header = [], ...cells] = rows;
  return header.map((name, index) => ({ name, values: cells.map((row) => row[index] ?? '') }));
}

function jsonSamples({ bytes, length, isLast }: BlockReader): ColumnSample[] {
  const finder = new LineFinder();
  const values = new Map<string, string[]>();
  let at = bytes.subarray(0, 3).toString() === '\uFEFF' ? 3 : 0;
  for (let rows = 0; at < length && rows < SAMPLED_ROWS; rows += 1) {
    const next = finder.find(bytes, at, length, isLast);
    if (next === -1) break;
    for (const [name, value] of Object.entries(objectIn(bytes.toString('utf8', at, finder.to)))) {
      const known = values.get(name) ?? [];
      // Only texts have a form that a mapping file says; numbers and objects are read as they are.
      if (typeof value === 'string') known.push(value);
      values.set(name, known);
    }
    at = next;
  }
  return Array.from(values, ([name, found]) => ({ name, values: found }));
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    // The row is shown as one that cannot be sent.
    return {};
  }
}
