import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { UnreadableInput } from '../common/errors.js';
import { builtInFormat, formatOf, PLAIN, type NumberFormat } from './number-formats.js';
import { SharedStrings } from './shared-strings.js';
import { rowsOfSheet, type SheetRow } from './sheet-rows.js';
import { attributeOf, XmlScanner } from './xml.js';
import { Archive, type Member } from './zip.js';

/** The first bytes of a compound file, which is an old or an encrypted workbook. */
const COMPOUND = 'd0cf11e0a1b11ae1';

/** A sheet with rows. */
export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  /** The name of the sheet's part in the archive. */
  readonly part: string;
}

/** The sheets of a workbook and the settings that apply to all of them. */
interface Contents {
  readonly sheets: readonly Sheet[];
  readonly isFrom1904: boolean;
  readonly isWithoutValues: boolean;
}

/** An Excel workbook, `.xlsx`. */
export class Workbook {
  private strings: SharedStrings | undefined;
  private formats: readonly NumberFormat[] | undefined;

  private constructor(
    /** The name that messages show. */
    private readonly label: string,
    private readonly archive: Archive,
    private readonly contents: Contents,
    private readonly parts: Parts,
    private readonly draft: string,
  ) {}

  /**
   * @param path the path of the file
   * @param label the name of the file in messages
   * @param draft the path of a temporary file for texts that do not fit into memory; {@link close} removes it
   * @throws UnreadableInput
   */
  static async open(path: string, label: string, draft: string): Promise<Workbook> {
    await expectNoCompound(path, label);
    const archive = await Archive.open(path).catch((error: unknown) => {
      if (!(error instanceof UnreadableInput)) throw error;
      throw new UnreadableInput(error.message.replace(basename(path), label), { cause: error });
    });
    try {
      return await reading(label, async () => {
        const root = await relationsOf(archive, '');
        const main = root.find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
        const parts = await relationsOf(archive, main);
        return new Workbook(label, archive, await contentsOf(archive, main, parts), parts, draft);
      });
    } catch (error) {
      archive.close();
      throw error;
    }
  }

  /** The sheets in the order of the workbook, without charts. */
  get sheets(): readonly Sheet[] {
    return this.contents.sheets;
  }

  /** Whether day 0 is 1 January 1904. */
  get isFrom1904(): boolean {
    return this.contents.isFrom1904;
  }

  /** @throws UnreadableInput */
  async isEmpty(sheet: Sheet): Promise<boolean> {
    for await (const rows of this.rows(sheet)) if (rows.length > 0) return false;
    return true;
  }

  /**
   * Read the rows of a sheet that are not empty.
   *
   * @throws UnreadableInput
   */
  async *rows({ part, name }: Sheet): AsyncGenerator<SheetRow[]> {
    const { isFrom1904, isWithoutValues } = this.contents;
    const strings = (this.strings ??= await this.readStrings());
    const formats = (this.formats ??= await this.readFormats());
    const context = {
      sharedString: (index: number) => strings.get(index),
      formats,
      isFrom1904,
      isWithoutValues,
    };
    const rows = rowsOfSheet(textOf(this.archive, part), context);
    for (;;) {
      const next = await reading(`${this.label}, sheet ${JSON.stringify(name)},`, () => rows.next());
      if (next.done) return;
      yield next.value;
    }
  }

  close(): void {
    this.strings?.close();
    this.archive.close();
  }

  private async readStrings(): Promise<SharedStrings> {
    const strings = new SharedStrings(this.draft);
    this.strings = strings;
    const part = this.parts.find(({ type }) => type === 'sharedStrings')?.target;
    if (part !== undefined)
      await reading(`${this.label}, ${part},`, () => strings.read(textOf(this.archive, part)));
    return strings;
  }

  private async readFormats(): Promise<readonly NumberFormat[]> {
    const part = this.parts.find(({ type }) => type === 'styles')?.target;
    return part === undefined ? [] : reading(`${this.label}, ${part},`, () => formatsOf(this.archive, part));
  }
}

/** The relations of a part. `type` is the last word of the relation's type. */
type Parts = readonly { readonly id: string; readonly type: string; readonly target: string }[];

/** Add the place to the error if reading fails. */
async function reading<Result>(place: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (
      error instanceof UnreadableInput ||
      (code !== undefined && code !== 'ERR_ENCODING_INVALID_ENCODED_DATA')
    )
      throw error;
    const why = code === undefined ? message : 'is not UTF-8';
    throw new UnreadableInput(
      `${place} cannot be read: it ${why}. Save the workbook again in a spreadsheet.`,
      {
        cause: error,
      },
    );
  }
}

async function expectNoCompound(path: string, label: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const first = Buffer.alloc(COMPOUND.length / 2);
    await file.read(first, 0, first.length, 0);
    if (first.toString('hex') !== COMPOUND) return;
  } finally {
    await file.close();
  }
  throw new UnreadableInput(
    `${label} is encrypted with a password, or has the old form .xls: save it as .xlsx without a password.`,
  );
}

async function* textOf(archive: Archive, part: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of archive.read(memberOf(archive, part)))
    yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** @throws Error if the member is missing; UnreadableInput if it is refused */
function memberOf({ members }: Archive, part: string): Member {
  const found = members.find(({ name }) => name.toLowerCase() === part.toLowerCase());
  if (!found) throw new Error(`has no part ${part}`);
  return found;
}

async function visitTags(
  archive: Archive,
  part: string,
  open: (name: string, tag: string) => void,
  close?: (name: string) => void,
): Promise<void> {
  const scanner = new XmlScanner({ open, ...(close && { close }) });
  for await (const chunk of textOf(archive, part)) scanner.push(chunk);
  scanner.end();
}

/** @param part the part whose relations are read; the empty text for those of the archive */
async function relationsOf(archive: Archive, part: string): Promise<Parts> {
  const at = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, at);
  const path = `${folder}_rels/${part.slice(at)}.rels`;
  if (!archive.members.some(({ name }) => name === path)) {
    if (part === '') throw new Error('is no .xlsx workbook');
    return [];
  }
  const parts: { id: string; type: string; target: string }[] = [];
  await visitTags(archive, path, (name, tag) => {
    if (name !== 'Relationship' || attributeOf(tag, 'TargetMode') === 'External') return;
    const target = attributeOf(tag, 'Target') ?? '';
    const type = attributeOf(tag, 'Type') ?? '';
    parts.push({
      id: attributeOf(tag, 'Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      target: new URL(target, `file:///${folder}`).pathname.slice(1),
    });
  });
  return parts;
}

async function contentsOf(archive: Archive, main: string, parts: Parts): Promise<Contents> {
  const sheets: Sheet[] = [];
  let [isFrom1904, isWithoutValues] = [false, false];
  const isSet = (tag: string, name: string): boolean => /^(?:1|true)$/.test(attributeOf(tag, name) ?? '');
  await visitTags(archive, main, (element, tag) => {
    if (element === 'workbookPr') isFrom1904 = isSet(tag, 'date1904');
    if (element === 'calcPr') isWithoutValues = isSet(tag, 'fullCalcOnLoad');
    if (element !== 'sheet') return;
    const part = parts.find(({ id }) => id === idOf(tag));
    if (part?.type !== 'worksheet') return;
    const isHidden = /hidden$/i.test(attributeOf(tag, 'state') ?? '');
    sheets.push({ name: attributeOf(tag, 'name') ?? '', isHidden, part: part.target });
  });
  if (sheets.length === 0) throw new Error('has no sheet');
  return { sheets, isFrom1904, isWithoutValues };
}

/** The relation id of a sheet. This is `r:id`, not `sheetId`. */
function idOf(tag: string): string | undefined {
  return /\s[^\s=:]+:id\s*=\s*["']([^"']*)["']/.exec(tag)?.[1];
}

/** The number format of each cell style. */
async function formatsOf(archive: Archive, part: string): Promise<NumberFormat[]> {
  const own = new Map<number, NumberFormat>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  const open = (name: string, tag: string): void => {
    if (name === 'numFmt')
      own.set(Number(attributeOf(tag, 'numFmtId')), formatOf(attributeOf(tag, 'formatCode') ?? ''));
    else if (name === 'cellXfs') isOfCells = true;
    else if (name === 'xf' && isOfCells) {
      const id = Number(attributeOf(tag, 'numFmtId') ?? 0);
      formats.push(own.get(id) ?? (id < 164 ? builtInFormat(id) : PLAIN));
    }
  };
  await visitTags(archive, part, open, (name) => {
    if (name === 'cellXfs') isOfCells = false;
  });
  return formats;
}
