import { createHash } from 'node:crypto';
import { Spool } from '../../infrastructure/files/spool.js';
import { comparableJson } from '../../infrastructure/json/equal-json.js';
import { readBlocks } from '../files/gather.js';
import type { AccountRecord, LineFormat, LineProblem, Reading, ReadLines } from '../files/line-reading.js';
import { NumberFilter } from './number-filter.js';
import { STAGED_LINES } from './staged-record.js';

/** A line whose number is in another line of the file too. */
export interface Repeat {
  readonly line: number;
  /** The first line with the number, or for that line one with other content. */
  readonly otherLine: number;
  /** Whether all lines with the number have the same content; the first of these is no repeat. */
  readonly isSame: boolean;
}

/** A line whose number may be in another line too. */
interface Candidate {
  readonly number: string;
  readonly content: string;
  readonly line: number;
}

/** Candidates are compared in so many parts, each in memory. */
const PARTS = 256;
/** Consecutive lines whose repeats are in memory together. */
const LINES_TOGETHER = 262_144;

/**
 * The lines of a file whose numbers are in the file more than once, found in constant memory.
 *
 * A first reading puts every number into a filter, and finds the numbers that may have been there before: none in most files. Only
 * if there are some, a second reading compares the content of their lines.
 *
 * Source: choice S7.
 */
export class RepeatedNumbers {
  private readonly repeats = new Parts<Repeat>();
  private loadedPart = -1;
  private loaded: ReadonlyMap<number, Repeat> = new Map();

  /** @returns undefined if the reading was interrupted */
  static async find(read: ReadLines, interrupted: AbortSignal): Promise<RepeatedNumbers | undefined> {
    const [seen, again] = [new NumberFilter(), new NumberFilter()];
    const note = (number: string): boolean => {
      if (seen.add(number)) again.add(number);
      return false;
    };
    if (await readBlocks(read(linesWith(note)), interrupted, () => undefined)) return undefined;
    const found = new RepeatedNumbers();
    if (again.isEmpty) return found;
    const candidates = new Parts<Candidate>();
    try {
      const repeatedLines = read(linesWith((number) => again.has(number)));
      const isInterrupted = await readBlocks(repeatedLines, interrupted, (block) => {
        for (const reading of block) {
          if ('record' in reading) addCandidate(candidates, reading.record, reading.line);
        }
      });
      for (let part = 0; part < PARTS && !isInterrupted; part += 1)
        found.compare(await candidates.take(part));
      return isInterrupted ? undefined : found;
    } catch (error) {
      found.dispose();
      throw error;
    } finally {
      candidates.dispose();
    }
  }

  /** Whether {@link at} has the lines around this one. If not, load them. */
  isLoaded(line: number): boolean {
    return partOf(line) === this.loadedPart;
  }

  async load(line: number): Promise<void> {
    this.loadedPart = partOf(line);
    const repeats = await this.repeats.take(this.loadedPart);
    this.loaded = new Map(repeats.map((repeat) => [repeat.line, repeat]));
  }

  /** @returns undefined if the line's number is not repeated, or if the line is the first of several with the same content */
  at(line: number): Repeat | undefined {
    return this.loaded.get(line);
  }

  dispose(): void {
    this.repeats.dispose();
  }

  /** @param candidates all lines with some of the numbers, in order */
  private compare(candidates: readonly Candidate[]): void {
    const first = new Map<string, Candidate>();
    const different = new Map<string, number>();
    for (const candidate of candidates) {
      const { number, content, line } = candidate;
      const earlier = first.get(number);
      if (!earlier) first.set(number, candidate);
      else if (earlier.content !== content && !different.has(number)) different.set(number, line);
    }
    for (const { number, line } of candidates) {
      const firstLine = first.get(number)?.line ?? line;
      const differentLine = different.get(number);
      const otherLine = firstLine === line ? differentLine : firstLine;
      if (otherLine === undefined) continue;
      this.repeats.add(partOf(line), { line, otherLine, isSame: differentLine === undefined });
    }
  }
}

function partOf(line: number): number {
  return Math.floor(line / LINES_TOGETHER);
}

/** Lists that are read one by one. */
class Parts<Item> {
  private readonly spools = new Map<number, Spool<Item>>();

  add(part: number, item: Item): void {
    const spool = this.spools.get(part) ?? new Spool<Item>(BUFFERED_MAX);
    this.spools.set(part, spool);
    spool.add(item);
  }

  /** Remove a list, and return its items in the order in which they were added. */
  async take(part: number): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this.spools.get(part)?.drain() ?? []) items.push(item);
    this.spools.delete(part);
    return items;
  }

  dispose(): void {
    for (const spool of this.spools.values()) spool.dispose();
  }
}

/** Items of each list that are kept in memory. */
const BUFFERED_MAX = 500;

const NOT_READ: Reading = { problem: { code: 'invalid', detail: 'The line is not read.' } };

/** Reads only the lines whose number is wanted. */
function linesWith(isWanted: (number: string) => boolean): LineFormat {
  const isRead = (number: unknown): boolean => typeof number === 'string' && isWanted(number);
  return {
    ...STAGED_LINES,
    readText: (text) => {
      const number = plainNumber(text);
      return number === undefined || isWanted(number) ? undefined : NOT_READ;
    },
    readJson: (value, text, isRow) => {
      const { external_account_number: number } = (value ?? {}) as { external_account_number?: unknown };
      return isRead(number) ? STAGED_LINES.readJson(value, text, isRow) : NOT_READ;
    },
  };
}

const NAME = '"external_account_number"';
const VALUE = /\s*:\s*"([^"]*)"/y;

/**
 * The number of a line in JSON, found in a tenth of the time that parsing takes.
 *
 * @returns undefined if that is not certain
 */
function plainNumber(text: string): string | undefined {
  const at = text.indexOf(NAME);
  if (at === -1 || text.includes(NAME, at + 1) || text.includes('\\')) return undefined;
  VALUE.lastIndex = at + NAME.length;
  return VALUE.exec(text)?.[1];
}

/** Content is what is stored of the record. A digest stands for it. */
function addCandidate(candidates: Parts<Candidate>, record: AccountRecord, line: number): void {
  const { externalAccountNumber: number, openStatementFrom, openStatementTo, account, control } = record;
  const stored = [openStatementFrom, openStatementTo, account && comparableJson(account), control];
  const part = createHash('sha256').update(number).digest()[0] ?? 0;
  const content = createHash('sha256').update(JSON.stringify(stored)).digest('base64');
  candidates.add(part, { number, content, line });
}

/** Why a repeated line is not staged. */
export function differenceProblem({ otherLine }: Repeat): LineProblem {
  return {
    code: 'duplicate_external_account_numbers',
    detail: `external_account_number: Line ${otherLine} has the same number and other content. Neither is staged; keep one of them.`,
  };
}
