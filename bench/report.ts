import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { percentile } from './load/statistics.js';
import { PROJECT } from './paths.js';

/** Tables for the terminal and for a page. */
export interface Report {
  /** The part of the page between `<!-- bench:SECTION -->` and `<!-- /bench:SECTION -->`. */
  readonly section: string;
  readonly tables: readonly ReportTable[];
  /** Describes the measurement, when it was not made in windows. */
  readonly windows?: string;
}

export interface ReportTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences below the table. */
  readonly remarks?: readonly string[];
}

const BYTES_PER_MEGABYTE = 1_048_576;
const LOAD_AT_START = load();
export const NOTHING = '–';

/** The lowest and the highest value. */
export function range(ratios: readonly number[]): string {
  return ratios.length > 0 ? `${ratio(Math.min(...ratios))} / ${ratio(Math.max(...ratios))}` : NOTHING;
}

export function ratio(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : NOTHING;
}

/** Microseconds. */
export function micros(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  return value < 100 ? value.toPrecision(3) : grouped(value);
}

/** Median, 99th percentile and, with `withLongest`, maximum of latencies. */
export function latencies(ms: readonly number[], digits: number, withLongest = false): string {
  const shares = withLongest ? [0.5, 0.99, 1] : [0.5, 0.99];
  return shares.map((share) => percentile(ms, share).toFixed(digits)).join(' / ');
}

export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** @param bytes NaN where the system does not report them */
export function megabytes(bytes: number): string {
  return Number.isNaN(bytes) ? NOTHING : (bytes / BYTES_PER_MEGABYTE).toFixed(0);
}

/** Whether a column contains only numbers and is therefore right-aligned. */
function isNumeric(rows: ReportTable['rows'], column: number): boolean {
  return rows.every((row) => /^[\d.,/+ ]+$|^–$/.test(row[column] ?? ''));
}

/** The tables for a terminal. */
function toText({ tables }: Report): string {
  return tables
    .map(({ head, rows, remarks = [] }) => {
      const table = new Table({
        head: [...head],
        colAligns: head.map((_, column) => (isNumeric(rows, column) ? 'right' : 'left')),
        style: { head: [], border: [] },
      });
      table.push(...rows.map((row) => [...row]));
      return [table.toString(), ...remarks].join('\n');
    })
    .join('\n\n');
}

/** The one-minute load average. */
function load(): string {
  return loadavg()[0]!.toFixed(1);
}

/** The measured commit, and whether files differed from it. */
function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).trim();
  try {
    return `commit ${git('rev-parse', '--short=8', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
  } catch {
    return 'no commit';
  }
}

/** A description of the machine and the measurement, printed above the tables. */
function describeMachine(database: string, windows: string): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return [
    `${new Date().toISOString().slice(0, 10)}: ${model}, ${processors.length} cores,`,
    `${(totalmem() / BYTES_PER_MEGABYTE / 1_024).toFixed(0)} GB of memory; Node.js ${process.versions.node},`,
    `${database}; ${describeCommit()};`,
    `driver, server and database on this one machine, which had a load of ${LOAD_AT_START} at the start and ${load()} at the end;`,
    `${windows}.`,
  ].join(' ');
}

/** Where and how a report is published. */
export interface Publication {
  readonly write: boolean;
  /** Path below docs. */
  readonly page: string;
  /** Description of the database. */
  readonly database: string;
  readonly seconds?: number;
  readonly rounds?: number;
  readonly log: (sentence: string) => void;
}

/** Print a report and, with `write`, write it into its page. */
export async function publish(report: Report, publication: Publication): Promise<void> {
  const { write, page, database, seconds, rounds, log } = publication;
  const { section, windows = `windows of ${seconds} s, medians of ${rounds} interleaved rounds` } = report;
  const machine = describeMachine(database, windows);
  process.stdout.write(`${machine}\n\n${toText(report)}\n`);
  if (!write) return;
  const file = join(PROJECT, 'docs', page);
  const content = `${machine}\n\n${toMarkdown(report)}`;
  await writeFile(file, withSection(await readFile(file, 'utf8'), section, content));
  log(`The result was written to docs/${page}.`);
}

/** @returns the page with the section replaced, or appended when the page lacks it */
export function withSection(page: string, section: string, content: string): string {
  const [begin, end] = [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`];
  const marked = `${begin}\n\n${content}\n\n${end}`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) return `${page.trimEnd()}\n\n${marked}\n`;
  return page.slice(0, from) + marked + page.slice(to + end.length);
}

export function toMarkdown({ tables }: Report): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return tables
    .map(({ head, rows, remarks = [] }) =>
      [
        line(head),
        line(head.map((_, column) => (isNumeric(rows, column) ? '---:' : '---'))),
        ...rows.map(line),
        ...remarks.map((remark) => `\n${remark}`),
      ].join('\n'),
    )
    .join('\n\n');
}
