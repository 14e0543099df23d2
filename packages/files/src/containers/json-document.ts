import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { WholeFile } from '../common/files.js';
import type { Encoding } from '../text/encodings.js';
import { Members, OPENING_BRACE, OPENING_BRACKET, scanObject } from '../text/json-scanner.js';
import { LINE_SHARE } from '../text/parts.js';
import { openText } from '../text/text-source.js';
import { done, JsonText, type Work } from './json-text.js';

/** The records of a document to read. */
export interface DocumentForm {
  /** The path to the records: names of members, and `[]` for each element of a list. */
  readonly path: readonly string[];
  /** The column names in the mapping. `^.` leads to the parent, and a point to a member of a member. */
  readonly columns: readonly string[];
  /** Members of the records that are left out, because the mapping ignores them or reads them as separate records. */
  readonly dropped: readonly string[];
  readonly encoding: Encoding | undefined;
}

/**
 * The most records on one line, and the last line that may have several. Beyond these limits the records could not be
 * told apart.
 */
const RECORDS_OF_A_LINE = 1 / LINE_SHARE;
const SHARED_LINE_MAX = 40_000_000;

const LETTER_N = 0x6e;

/** The parts of a column's path: the number of parents to go up, and the names of members. */
export function columnPath(column: string): { readonly up: number; readonly name: string } {
  const carets = /^(?:\^\.?)*/.exec(column)?.[0] ?? '';
  return { up: carets.replaceAll('.', '').length, name: column.slice(carets.length) };
}

/**
 * Write the records of a JSON document as NDJSON. Each record follows the number of its line in the document and a
 * space. Values are written unchanged, without line feeds. The document is read once, or twice if a member of a parent
 * comes after the list with the records.
 *
 * @param path the path of the document
 * @param target the path of the copy
 * @param name the name of the document in messages
 * @throws UnreadableInput if the document is not completely JSON; WrongUsage if it has no list at the path of the
 * records
 * Source: choice L11.
 */
export async function convertDocument(
  path: string,
  target: string,
  name: string,
  form: DocumentForm,
  signal: AbortSignal | undefined,
): Promise<void> {
  const levels = levelsOf(form, name);
  try {
    const isEnough = await convert();
    if (!isEnough) await convert();
  } finally {
    for (const level of levels) await level.remove(target);
  }

  /** @returns whether all members of parents were known where they were needed */
  async function convert(): Promise<boolean> {
    const { source, blocks, from } = await openText(path, name, { encoding: form.encoding, isReused: true });
    const file = await WholeFile.create(target);
    try {
      for (const level of levels) await level.open(target);
      const text = new JsonText(blocks, from, name, async () => {
        signal?.throwIfAborted();
        for (const level of levels) await level.drain();
      });
      await done(new Converter(text, name, form, levels, file).document());
      for (const level of levels) await level.close();
      const isEnough = levels.every((level) => level.isKnown);
      if (isEnough) await file.complete();
      return isEnough;
    } finally {
      await file.discard();
      await source.close();
    }
  }
}

function levelsOf({ path, columns }: DocumentForm, name: string): Level[] {
  const paths = columns.map((column) => ({ column, ...columnPath(column) })).filter(({ up }) => up > 0);
  const count = path.filter((step) => step !== '[]').length;
  const none = paths.find(({ up }) => up > count);
  if (none)
    throw new WrongUsage(
      `${name}: ${none.column} leads out of the document; its records have ${count} parents.`,
    );
  return Array.from({ length: count }, (_, index) => {
    return new Level(
      index,
      paths.filter(({ up }) => up === count - index),
    );
  });
}

/** The parents of the records at one level: each has the members that the mapping names. */
class Level {
  /** The current parent's value for each column. */
  values = new Map<string, string>();
  private readonly prefixes: ReadonlySet<string>;
  private isSecond = false;
  private isLate = false;
  private written: WholeFile | undefined;
  private lines: AsyncIterator<string> | undefined;

  /** @param columns the columns that come from members of the parent */
  constructor(
    private readonly index: number,
    private readonly columns: readonly { readonly name: string; readonly column: string }[],
  ) {
    this.prefixes = prefixesOf(columns.map(({ name }) => name));
  }

  get isKnown(): boolean {
    return !this.isLate;
  }

  /** Begin to read the document. On the second pass, the values of all parents are known. */
  async open(target: string): Promise<void> {
    if (this.columns.length === 0) return;
    this.isSecond = this.written !== undefined;
    this.isLate = false;
    if (!this.isSecond) this.written = await WholeFile.create(this.pathOf(target));
    else
      this.lines = createInterface({ input: createReadStream(this.pathOf(target)) })[Symbol.asyncIterator]();
  }

  *begin(): Work {
    this.values = new Map();
    if (!this.isSecond) return;
    yield async () => {
      const line = (await this.lines?.next())?.value as string;
      this.values = new Map(JSON.parse(line) as [string, string][]);
    };
  }

  isNamed(name: string): boolean {
    return this.prefixes.has(name) || this.columns.some((column) => column.name === name);
  }

  /** @param isPassed whether records were written before this value was known */
  add(name: string, raw: Buffer, isPassed: boolean): void {
    if (this.isSecond) return;
    this.isLate ||= isPassed;
    const set = (path: string, json: string): void => {
      for (const one of this.columns) if (one.name === path) this.values.set(one.column, json);
    };
    if (raw[0] === OPENING_BRACE) visitMembers(raw, this.prefixes, set, `${name}.`);
    set(name, raw.toString('latin1'));
  }

  end(): void {
    if (!this.isSecond) this.written?.add(`${JSON.stringify([...this.values])}\n`);
  }

  async drain(): Promise<void> {
    if (!this.isSecond) await this.written?.drain();
  }

  async close(): Promise<void> {
    if (!this.isSecond) await this.written?.complete();
  }

  async remove(target: string): Promise<void> {
    await this.written?.discard();
    await rm(this.pathOf(target), { force: true });
  }

  private pathOf(target: string): string {
    return `${target}.parents-${this.index}`;
  }
}

class Converter {
  private readonly names = new Map<string, string>();
  private readonly dropped: ReadonlySet<string>;
  private readonly prefixes: ReadonlySet<string>;
  /** For each step of the path, the number of values that it has led to. */
  private readonly reached: number[];
  private records = 0;
  private line = 0;
  private onLine = 0;

  constructor(
    private readonly text: JsonText,
    private readonly name: string,
    private readonly form: DocumentForm,
    private readonly levels: readonly Level[],
    private readonly file: WholeFile,
  ) {
    this.dropped = new Set(form.dropped);
    this.prefixes = prefixesOf([...form.columns, ...form.dropped]);
    this.reached = new Array<number>(form.path.length + 1).fill(0);
  }

  *document(): Work {
    const { text } = this;
    yield* this.walk(0, 0);
    if ((yield* text.peek()) !== undefined)
      throw new UnreadableInput(
        `${this.name}:${text.currentLine()} has something behind the end of the document. One record a line is NDJSON, and has no "records".`,
      );
    this.expectRecords();
  }

  /**
   * @param index the index of the next step of the path
   * @param level the level of the next parent
   */
  private *walk(index: number, level: number): Work {
    const { text } = this;
    const step = this.form.path[index];
    this.reached[index] = (this.reached[index] ?? 0) + 1;
    const byte = yield* text.peek();
    if (byte === undefined) throw text.notJson();
    if (step === undefined) yield* this.record();
    else if (byte === LETTER_N) yield* text.skip();
    else if (step === '[]') {
      if (byte !== OPENING_BRACKET) throw this.isOther(index, 'list');
      yield* text.elements(() => this.walk(index + 1, level));
    } else {
      if (byte !== OPENING_BRACE) throw this.isOther(index, 'object');
      yield* this.parent(index, level);
    }
  }

  private *parent(index: number, number: number): Work {
    const { text } = this;
    const step = this.form.path[index] ?? '';
    const level = this.levels[number];
    if (!level) throw new RangeError(`There is no level ${number}.`);
    let isPassed = false;
    const before = this.records;
    yield* level.begin();
    const visit = function* (this: Converter, name: string): Work {
      if (name === step) {
        if (isPassed) {
          const member = `the member ${JSON.stringify(name)} twice in one object`;
          throw new UnreadableInput(`${this.name}:${text.currentLine()} has ${member}.`);
        }
        isPassed = true;
        yield* this.walk(index + 1, number + 1);
      } else if (level.isNamed(name)) level.add(name, yield* text.whole(), this.records > before);
      else yield* text.skip();
    };
    yield* text.members(visit.bind(this));
    level.end();
  }

  private *record(): Work {
    const id = this.nextId();
    this.records += 1;
    const raw = yield* this.text.whole();
    if (raw[0] !== OPENING_BRACE) yield* this.write(id, raw.toString('latin1'));
    else {
      const members: string[] = [];
      const add = (name: string, json: string): void => {
        if (!this.dropped.has(name)) members.push(`${this.quoted(name)}:${json}`);
      };
      for (const { values } of this.levels) for (const [name, json] of values) add(name, json);
      visitMembers(raw, this.prefixes, add);
      yield* this.write(id, `{${members.join(',')}}`);
    }
  }

  /** JSON can have line feeds only between its parts, not within them. */
  private *write(id: number, json: string): Work {
    this.file.add(Buffer.from(`${id} ${json.replaceAll(/[\r\n][ \t\r\n]*/g, '')}\n`, 'latin1'));
    if (this.file.isFull) yield () => this.file.flush();
  }

  private nextId(): number {
    const line = this.text.currentLine();
    this.onLine = line === this.line ? this.onLine + 1 : 0;
    this.line = line;
    if (this.onLine >= RECORDS_OF_A_LINE || (this.onLine > 0 && line > SHARED_LINE_MAX))
      throw new UnreadableInput(`${this.name}:${line} has too many records. Split the document.`);
    return line + this.onLine * LINE_SHARE;
  }

  private quoted(name: string): string {
    let text = this.names.get(name);
    if (text === undefined) {
      text = Buffer.from(JSON.stringify(name)).toString('latin1');
      this.names.set(name, text);
    }
    return text;
  }

  private isOther(index: number, is: string): WrongUsage {
    const place = pathText(this.form.path.slice(0, index));
    return new WrongUsage(
      `${this.name}:${this.text.currentLine()}: ${place === '' ? 'the document' : place} is no ${is}, as "records" in the mapping file says.`,
    );
  }

  /** @throws WrongUsage when no object has the next member of the path; lists may be empty */
  private expectRecords(): void {
    const { path } = this.form;
    const index = this.reached.indexOf(0) - 1;
    const step = path[index];
    if (step === undefined || step === '[]') return;
    throw new WrongUsage(
      `${this.name} has no ${pathText(path.slice(0, index + 1))}, which "records" in the mapping file names.`,
    );
  }
}

export function pathText(path: readonly string[]): string {
  return path.reduce((text, step) => `${text}${step === '[]' || text === '' ? '' : '.'}${step}`, '');
}

/** All prefixes of dotted names: for `a.b.c` they are `a` and `a.b`. */
function prefixesOf(names: Iterable<string>): ReadonlySet<string> {
  const prefixes = new Set<string>();
  for (const name of names)
    for (let at = name.indexOf('.'); at !== -1; at = name.indexOf('.', at + 1))
      prefixes.add(name.slice(0, at));
  return prefixes;
}

/** The members of an object that are in use, by the depth of the object. One instance is reused for all objects. */
const MEMBERS: Members[] = [];

/**
 * Visit the members of an object. If the mapping names members of an inner object, these are visited in its place. Each
 * character of a value stands for one byte.
 */
function visitMembers(
  object: Buffer,
  prefixes: ReadonlySet<string>,
  visit: (name: string, json: string) => void,
  begin = '',
  depth = 0,
): void {
  const members = (MEMBERS[depth] ??= new Members());
  scanObject(object, 0, object.length, members);
  for (let member = 0; member < members.count; member += 1) {
    const name = begin + members.name(object, member);
    const [from, to] = [members.valueFrom(member), members.valueTo(member)];
    if (prefixes.has(name) && object[from] === OPENING_BRACE)
      visitMembers(object.subarray(from, to), prefixes, visit, `${name}.`, depth + 1);
    else visit(name, object.toString('latin1', from, to));
  }
}
