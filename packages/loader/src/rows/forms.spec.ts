import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { FileRecords, UnreadableInput, visitFile, WrongUsage, type ReadRow } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { runs } from '../../../../test/support/runs.js';
import { canonicalContent } from './content.js';
import { Intervals } from './intervals.js';
import { findFiles } from './folder.js';
import { prepare } from './prepare.js';
import type { Kind } from '../kinds/kinds.js';
import { collect, rowsIn } from '../../test/support/rows.js';
import { parseMapping } from '../kinds/mapping.js';
import { toRow } from './to-row.js';
import { FIELDS as FIELDS_OF } from '../kinds/fields.js';

const KIND = 'transactions';

/** The bytes 0x80 to 0x9F of Windows-1252, as the Unicode Consortium lists them; a space for those that it does not have. */
const C1 =
  '\u20AC \u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152 \u017D  \u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153 \u017E\u0178';

function encoded(text: string, encoding: string, hasMark: boolean): Buffer {
  const marked = hasMark ? `\uFEFF${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  if (encoding === 'utf-16le') return Buffer.from(marked, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16();
  const bytes = Array.from(text, (character) => {
    const at = character === ' ' ? -1 : C1.indexOf(character);
    return at === -1 ? character.charCodeAt(0) : 0x80 + at;
  });
  return Buffer.from(bytes);
}

/** A mapping of one file of transactions. */
function mappingOf(entry: object): string {
  return JSON.stringify({ files: [{ match: 'ledger*', kind: KIND, ...entry }] });
}

async function readAll(
  bytes: Buffer,
  entry: object,
  name = 'ledger.csv',
  block?: number,
): Promise<ReadRow[]> {
  const folder = folderWith({ [name]: bytes });
  const mapping = parseMapping(mappingOf(entry), 'mapping.json').of(KIND);
  const sizes = block === undefined ? {} : { sizes: { block } };
  return rowsIn({ folder, kind: KIND, mapping, ...sizes }, name);
}

function told(row: ReadRow): string {
  const { line } = row.origin;
  return row.error ? `${line} ${row.error.code} ${row.error.attr}` : `${line} ${row.account} ${row.item}`;
}

const FIELDS = { external_account_number: 'Konto', transaction_id: 'Nr', note: 'Text' };

interface Dialect {
  readonly delimiter: string;
  readonly quote: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'latin1';
  readonly hasMark: boolean;
  readonly lineEnd: string;
  readonly titles: number;
  readonly decimal: '.' | ',';
  readonly thousands: string;
  readonly negative: '-1' | '1-' | '(1)' | 'CR' | 'two columns' | 'sign';
  readonly day: 'DD/MM/YYYY' | 'YYYYMMDD' | 'DD-MMM-YYYY' | 'excel';
  readonly isPacked: boolean;
}

const dialects: fc.Arbitrary<Dialect> = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', '^'),
    quote: fc.constantFrom('"', "'", ''),
    encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'latin1'),
    hasMark: fc.boolean(),
    lineEnd: fc.constantFrom('\n', '\r\n'),
    titles: fc.nat(3),
    decimal: fc.constantFrom('.', ','),
    thousands: fc.constantFrom('', '.', ',', ' '),
    negative: fc.constantFrom('-1', '1-', '(1)', 'CR', 'two columns', 'sign'),
    day: fc.constantFrom('DD/MM/YYYY', 'YYYYMMDD', 'DD-MMM-YYYY', 'excel'),
    isPacked: fc.boolean(),
  } as const)
  .filter(({ decimal, thousands }) => decimal !== thousands)
  // Exclude files that even the program itself could not read.
  .filter(
    ({ quote, delimiter, decimal, thousands }) =>
      quote !== '' || (decimal !== delimiter && thousands !== delimiter),
  );

interface Sent {
  readonly account: string;
  readonly id: string;
  readonly day: Date;
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly note: string;
  readonly totals: number;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  account: fc.nat(9).map((number) => `A${number}`),
  id: fc.uuid(),
  day: fc.integer({ min: 61, max: 80_000 }).map((serial) => new Date(Date.UTC(1899, 11, 30 + serial))),
  isNegative: fc.boolean(),
  whole: fc.oneof(fc.nat(3_000).map(String), fc.stringMatching(/^[1-9]\d{0,11}$/)),
  fraction: fc.stringMatching(/^\d{0,3}$/),
  note: fc
    .array(fc.constantFrom('a', 'Ü', 'é', 'ß', '€', '“', '日', '😀', '"', "'", ';', ',', '\n', ' ', '|'), {
      maxLength: 8,
    })
    .map((characters) => characters.join('').trim()),
  totals: fc.nat(6).map((number) => (number === 0 ? 1 : 0)),
});

const MONTHS = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'];

function dayText(day: Date, form: Dialect['day']): string {
  const [year = '', month = '', number = ''] = day.toISOString().slice(0, 10).split('-');
  if (form === 'excel') return String((day.getTime() - Date.UTC(1899, 11, 30)) / 86_400_000);
  const named = form.replace('MMM', '#').replace('YYYY', year).replace('MM', month).replace('DD', number);
  return named.replace('#', MONTHS[Number(month) - 1]!);
}

function amountCells({ isNegative, whole, fraction }: Sent, dialect: Dialect): string[] {
  const { decimal, thousands, negative } = dialect;
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands);
  const digits = fraction === '' ? grouped : `${grouped}${decimal}${fraction}`;
  if (negative === 'two columns') return isNegative ? ['', digits] : [digits, ''];
  if (negative === 'sign') return [digits, isNegative ? 'H' : 'S'];
  if (!isNegative) return [digits, ''];
  if (negative === '-1') return [`-${digits}`, ''];
  if (negative === '1-') return [`${digits}-`, ''];
  return [negative === '(1)' ? `(${digits})` : `${digits} CR`, ''];
}

function entryOf(dialect: Dialect): object {
  const { delimiter, quote, encoding, hasMark, titles, decimal, thousands, negative, day } = dialect;
  const amount = {
    decimal,
    ...(thousands !== '' && { thousands }),
    ...(negative === 'CR' && { words: { CR: -1, DR: 1 } }),
    ...(['-1', '1-', '(1)'].includes(negative) && { negative: [negative] }),
  };
  const column = { column: 'Betrag', amount };
  const source =
    negative === 'two columns'
      ? { debit: 'Betrag', credit: 'Haben', amount }
      : negative === 'sign'
        ? { ...column, sign: { column: 'Haben', words: { S: 1, H: -1 } } }
        : column;
  return {
    form: {
      delimiter,
      quote,
      ...(encoding !== 'utf-8' && {
        encoding: hasMark && encoding.startsWith('utf-16') ? 'utf-16' : encoding,
      }),
      skip_lines: titles,
      leave_out: { Konto: ['Summe*', 'Total'] },
    },
    fields: {
      ...FIELDS,
      transaction_date: { column: 'Datum', dates: [day], ...(day === 'DD-MMM-YYYY' && { language: 'de' }) },
      amount: source,
    },
    constants: { type: 'CHARGE' },
    ignore: negative === 'two columns' || negative === 'sign' ? [] : ['Haben'],
  };
}

function quotedIn({ quote, delimiter }: Dialect, text: string): string {
  if (quote === '') return text;
  const isNeeded = [quote, delimiter, '\n', '\r'].some((sign) => text.includes(sign));
  return isNeeded ? `${quote}${text.replaceAll(quote, quote + quote)}${quote}` : text;
}

/** The part of a text that a file of a dialect can contain. */
function holdable({ quote, delimiter, encoding }: Dialect, text: string): string {
  const characters = Array.from(text).filter((character) => {
    if (quote === '' && (character === delimiter || character === '\n')) return false;
    const code = character.codePointAt(0)!;
    if (encoding === 'latin1') return code < 0x80 || (code >= 0xa0 && code < 0x100);
    return (
      encoding !== 'windows-1252' || code < 0x80 || (code >= 0xa0 && code < 0x100) || C1.includes(character)
    );
  });
  return characters.join('');
}

/** A file of a dialect, and for each row its line and its content. */
function write(rows: readonly Sent[], dialect: Dialect): { bytes: Buffer; expected: [number, string][] } {
  const { delimiter, encoding, hasMark, lineEnd, titles, day } = dialect;
  const titleLine = encoding === 'utf-8' || encoding.startsWith('utf-16') ? 'Auszug "von' : 'Auszug für "';
  let text = `${titleLine}${lineEnd}`.repeat(titles);
  text += ['Konto', 'Nr', 'Datum', 'Betrag', 'Haben', 'Text'].join(delimiter) + lineEnd;
  let line = titles + 2;
  const expected = rows.map((row): [number, string] => {
    if (row.totals > 0) {
      text += `Summe ${row.account}${lineEnd}Total${delimiter}1${lineEnd}`;
      line += 2;
    }
    const note = holdable(dialect, row.note);
    const cells = [row.account, row.id, dayText(row.day, day), ...amountCells(row, dialect), note];
    const record = cells.map((cell) => quotedIn(dialect, cell)).join(delimiter);
    text += record + lineEnd;
    const at = line;
    line += record.split('\n').length;
    const sign = row.isNegative && /[1-9]/.test(row.whole + row.fraction) ? '-' : '';
    const amount = `${sign}${row.whole}${row.fraction === '' ? '' : `.${row.fraction}`}`;
    const members = [
      `"transaction_id":${JSON.stringify(row.id)}`,
      `"transaction_date":"${row.day.toISOString().slice(0, 10)}"`,
      `"amount":${amount}`,
      ...(note === '' ? [] : [`"note":${JSON.stringify(note)}`]),
      '"type":"CHARGE"',
    ];
    return [at, `${row.account} ${canonicalContent(KIND, `{${members.join(',')}}`)}`];
  });
  return { bytes: encoded(text, encoding, hasMark), expected };
}

/** Whether a byte-encoded file contains characters that together are one UTF-8 character, such as é€“. Such a file is refused. */
function mayBeUtf8(bytes: Buffer, { encoding }: Dialect): boolean {
  const isOfBytes = encoding === 'windows-1252' || encoding === 'latin1';
  return isOfBytes && /[\xe0-\xf4][\x80-\xbf]{2}/.test(bytes.toString('latin1'));
}

describe('files in the forms of many programs', () => {
  it('come back equal, with their lines, or are refused, and are never altered (L11)', async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent, { minLength: 1, maxLength: 12 }),
        dialects,
        fc.integer({ min: 40, max: 2_000 }),
        async (rows, dialect, block) => {
          const { bytes, expected } = write(rows, dialect);
          fc.pre(!mayBeUtf8(bytes, dialect));
          const name = dialect.isPacked ? 'ledger.csv.gz' : 'ledger.csv';
          const found = await readAll(bytes, entryOf(dialect), name, block);
          expect(found.map(({ origin }) => origin.line)).toEqual(expected.map(([line]) => line));
          for (const [index, row] of found.entries()) {
            if (row.error) {
              expect(row.error.detail).toContain('could be two numbers');
              continue;
            }
            read += 1;
            expect(`${row.account} ${canonicalContent(KIND, row.item)}`).toBe(expected[index]![1]);
          }
        },
      ),
      { numRuns: runs(60) },
    );
    expect(read).toBeGreaterThan(100);
  });

  it('come back equal or are refused in the form of another program, and are never altered (L11)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sent, { minLength: 1, maxLength: 4 }),
        dialects,
        dialects,
        async (rows, one, other) => {
          const { bytes, expected } = write(rows, one);
          // The mapping names the correct number format; the other settings are those of another program.
          const { decimal, thousands, negative } = one;
          const entry = entryOf({ ...other, decimal, thousands, negative });
          const found = await readAll(bytes, entry).catch((error: unknown) => {
            expect(error instanceof WrongUsage || error instanceof UnreadableInput).toBe(true);
            return [];
          });
          const known = new Set(expected.map(([, content]) => content));
          for (const row of found) {
            if (row.error) continue;
            const content = `${row.account} ${canonicalContent(KIND, row.item)}`;
            // Quotes that the other program does not treat as quotes stay in the note.
            if (one.quote === other.quote) expect(known).toContain(content);
          }
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

describe('the form of a file', () => {
  const header = 'Konto;Nr;Text\n';
  const entry = (form: object): object => ({ form: { delimiter: ';', ...form }, fields: FIELDS });

  it('has signs of its own between cells and around them (L11)', async () => {
    const text = `${header.replaceAll(';', '|')}1|'a|b'|'it''s "so"'\n2|c|"x"\n`;
    expect((await readAll(Buffer.from(text), entry({ delimiter: '|', quote: "'" }))).map(told)).toEqual([
      '2 1 {"transaction_id":"a|b","note":"it\'s \\"so\\""}',
      '3 2 {"transaction_id":"c","note":"\\"x\\""}',
    ]);
    const plain = await readAll(Buffer.from(`${header}1;a;5" pipe\n`), entry({ quote: '' }));
    expect(plain.map(told)).toEqual(['2 1 {"transaction_id":"a","note":"5\\" pipe"}']);
  });

  it('may pad cells with spaces, which are then no part of names, ids and texts (L11)', async () => {
    const text =
      'ACCT  |ID    |POST    |AMT   |TYPE  |NOTE  \n1001  |T-1   |20261105|  2.50|CHARGE| "a" b\n1001  |T-2   |20261105|  2.50|CHARGE|      \n';
    const fields = {
      external_account_number: 'ACCT',
      transaction_id: 'ID',
      transaction_date: { column: 'POST', dates: 'YYYYMMDD' },
      amount: 'AMT',
      type: 'TYPE',
      display_note: 'NOTE',
    };
    const form = { delimiter: '|', quote: '', trim: true };
    const rows = await readAll(Buffer.from(text), { form, fields });
    expect(rows.map(told)).toEqual([
      '2 1001 {"transaction_id":"T-1","transaction_date":"2026-11-05","amount":2.50,"type":"CHARGE","display_note":"\\"a\\" b"}',
      '3 1001 {"transaction_id":"T-2","transaction_date":"2026-11-05","amount":2.50,"type":"CHARGE"}',
    ]);
  });

  it.each([
    [{ amount: '12.50' }],
    [{ transaction_date: { column: '05.11.2026', dates: 'DD.MM.YYYY' } }],
    [{ type: 'CHARGE' }],
    [{ amount: { debit: '12.50', credit: '' } }],
  ])('has no header where the name of a column is a value: %j (L11)', async (fields) => {
    const rows = readAll(Buffer.from('1,05.11.2026,12.50,,CHARGE\n'), { fields });
    await expect(rows).rejects.toThrow('seems to have no header');
  });

  it('says what means nothing in NDJSON too, and numbers are in minor units there (L11)', async () => {
    const line = '{"k":1,"n":"a","x":123456,"note":"NULL"}\n{"k":1,"n":"\\\\N","x":1e2,"note":null}\n';
    const fields = {
      external_account_number: 'k',
      transaction_id: 'n',
      amount: { column: 'x', scale: 2 },
    };
    const form = { null: ['NULL', '\\N', 'null'] };
    const rows = await readAll(Buffer.from(line), { form, fields }, 'ledger.ndjson');
    expect(rows.map(told)).toEqual(['1 1 {"transaction_id":"a","amount":1234.56}', '2 1 {"amount":1e0}']);
  });

  it('is tabs in a file of tabs, without being said (L11)', async () => {
    const text = header.replaceAll(';', '\t') + '1\ta\tb\n';
    const rows = await readAll(Buffer.from(text), { fields: FIELDS }, 'ledger.tsv');
    expect(rows.map(told)).toEqual(['2 1 {"transaction_id":"a","note":"b"}']);
  });

  it('may be that of a file of any name (L11)', async () => {
    const rows = await readAll(Buffer.from(`${header}1;a;b\n`), entry({}), 'ledger.DAT');
    expect(rows.map(told)).toEqual(['2 1 {"transaction_id":"a","note":"b"}']);
  });

  it.each([
    ['windows-1252', Buffer.from('1;a;\x80 \x93M\xfcller\x94\n', 'latin1'), '€ “Müller”'],
    // These two characters have the bytes of one UTF-8 character.
    ['windows-1252', Buffer.from('1;a;\x84Spa\xdf\x93\n', 'latin1'), '„Spaß“'],
    ['windows-1252', Buffer.from('1;a;Spa\xdf\x94\n', 'latin1'), 'Spaß”'],
    ['latin1', Buffer.from('1;a;M\xfcller\n', 'latin1'), 'Müller'],
    ['ISO_8859-1', Buffer.from('1;a;M\xfcller\n', 'latin1'), 'Müller'],
    ['windows-1250', Buffer.from('1;a;\xa3\xf3d\x9f\xa0\x80\n', 'latin1'), 'Łódź\u00A0€'],
    // These two characters have the UTF-8 bytes of U+00DA or U+00AA.
    ['windows-1250', Buffer.from('1;a;CAS\xc3\x9a C\xc2\xaaTIG\n', 'latin1'), 'CASĂš CÂŞTIG'],
    ['ISO_8859-2', Buffer.from('1;a;\xa3\xf3d\xbc\n', 'latin1'), 'Łódź'],
    ['latin2', Buffer.from('1;a;\xb1\xae\n', 'latin1'), 'ąŽ'],
  ])('in %s is read as it is written (L11)', async (encoding, bytes, note) => {
    const rows = await readAll(Buffer.concat([Buffer.from(header), bytes]), entry({ encoding }));
    expect(rows.map(told)).toEqual([`2 1 {"transaction_id":"a","note":${JSON.stringify(note)}}`]);
  });

  it.each([
    ['latin1', Buffer.from('1;a;\x80\n2;b;c\n', 'latin1')],
    ['windows-1252', Buffer.from('1;a;\x81\n2;b;c\n', 'latin1')],
    ['windows-1252', Buffer.from('1;a;\xfc\x90\n2;b;c\n', 'latin1')],
    ['utf-8', Buffer.from('1;a;\xfc\n2;b;c\n', 'latin1')],
    ['windows-1250', Buffer.from('1;a;\x81\n2;b;c\n', 'latin1')],
    ['iso-8859-2', Buffer.from('1;a;\x9a\n2;b;c\n', 'latin1')],
  ])('in %s refuses a row that has none of its characters, with its line (L11)', async (encoding, bytes) => {
    const rows = await readAll(Buffer.concat([Buffer.from(header), bytes]), entry({ encoding }));
    expect(rows.map(told)).toEqual(['2 parse_error ', '3 2 {"transaction_id":"b","note":"c"}']);
  });

  it.each(['utf-16le', 'utf-16be'])('in %s refuses a row with half a character (L11)', async (encoding) => {
    const bytes = encoded(`${header}1;a;\uD83D\n2;b;\uDE00c\n3;c;😀\n`, encoding, true);
    const rows = await readAll(bytes, entry({}));
    expect(rows.map(told)).toEqual([
      '2 parse_error ',
      '3 parse_error ',
      '4 3 {"transaction_id":"c","note":"😀"}',
    ]);
    const odd = Buffer.concat([encoded(`${header}1;a;b`, encoding, true), Buffer.from('c')]);
    expect((await readAll(odd, entry({}))).map(told)).toEqual(['2 parse_error ']);
  });

  it.each([
    ['windows-1252', Buffer.from(`${header}1;a;Müller\n`), 'ledger.csv is UTF-8, and the mapping file says'],
    ['utf-8', encoded(header, 'utf-16le', true), 'ledger.csv is UTF-16, and the mapping file says'],
    ['utf-16', Buffer.from(header), 'ledger.csv is no UTF-16, and the mapping file says'],
    ['utf-16be', encoded(header, 'utf-16le', false), 'ledger.csv is utf-16le, and the mapping file says'],
    [undefined, encoded(header, 'utf-16le', false), 'name its "encoding" in the "form" of a mapping file'],
  ])('that says %s of something else is refused as a whole (L11)', async (encoding, bytes, message) => {
    const attempt = readAll(bytes, entry(encoding === undefined ? {} : { encoding }));
    await expect(attempt).rejects.toThrow(UnreadableInput);
    await expect(attempt).rejects.toThrow(message);
  });

  it('that says a byte for each character is refused where the file turns out to be UTF-8, also late (L11)', async () => {
    const rows = `1;a;b\n`.repeat(30_000);
    for (const end of ['1;a;Müller\n', `1;a;${'x'.repeat(40)}ü\n`]) {
      const bytes = Buffer.from(`${header}${rows}${end}${rows}`);
      for (const encoding of ['windows-1252', 'latin1'])
        await expect(readAll(bytes, entry({ encoding }))).rejects.toThrow('ledger.csv is UTF-8');
    }
  });

  it('leaves out titles and totals, which are counted and said, from any place on (L11)', async () => {
    const text = `"Ledger\nof 2026\n${header}1;a;b\n\nTotal 1;;x\n2;c;d\nTotal;9\n`;
    const folder = folderWith({ 'ledger.csv': text });
    const mapping = parseMapping(
      mappingOf(entry({ skip_lines: 2, leave_out: { Konto: ['Total', 'Total *'] } })),
      'mapping.json',
    ).of(KIND);
    const options = { folder, workFolder: join(folder, '.work'), mapping };
    const preparation = await prepare(KIND, ['ledger.csv'], options);
    expect(preparation).toMatchObject({ rows: 2, files: [{ leftOut: 4, mapping: '1' }] });
    const rows = await collect(preparation, options);
    expect(rows.map(told)).toEqual([
      '4 1 {"transaction_id":"a","note":"b"}',
      '7 2 {"transaction_id":"c","note":"d"}',
    ]);
    const done = new Intervals();
    done.add(0, rows[0]!.end);
    const rest = await collect(preparation, options, done);
    expect(rest.map(told)).toEqual(rows.slice(1).map(told));
  });

  it('says of a value that cannot be read in which column it stands, and the value apart (L11)', async () => {
    const text = 'Konto;Nr;Text;Betrag\n1;a;b;1.012\n';
    const [row] = await readAll(Buffer.from(text), {
      form: { delimiter: ';' },
      fields: { ...FIELDS, amount: { column: 'Betrag', amount: { decimal: ',' } } },
    });
    expect(row?.error).toMatchObject({ code: 'invalid', attr: 'amount', seen: '"1.012"' });
    expect(row?.error?.detail).toMatch(/^Column 4 \(Betrag\) could be two numbers/);
  });

  it.each([
    [{ leave_out: { Typ: ['x'] } }, 'ledger.csv', 'has no column "Typ", which the mapping file names'],
    [{ delimiter: ',' }, 'ledger.csv', 'ledger.csv seems to be separated by ";"'],
    [{}, 'ledger.ndjson', 'ledger.ndjson is NDJSON and has no delimiter'],
  ])('%j that does not fit %s is wrong usage: %s (L11)', async (form, name, message) => {
    const attempt = readAll(Buffer.from(`${header}1;a;b\n`), entry(form), name);
    await expect(attempt).rejects.toThrow(message);
  });

  it('of rows that were written elsewhere since is UTF-8 and has its header in the first line (L6)', async () => {
    const folder = folderWith({ 'transactions-2.csv': 'Konto;Nr;Text\n1;a;Müller\n' });
    writeFileSync(join(folder, 'ledger.csv.gz'), gzipSync(Buffer.from('x')));
    const form = { encoding: 'windows-1252', skip_lines: 3, leave_out: { Konto: ['1'] } };
    const mapping = parseMapping(mappingOf(entry(form)), 'mapping.json').of(KIND);
    const options = { folder, kind: KIND, mapping, cameFrom: 'ledger.csv.gz' } as const;
    const rows = await rowsIn(options, 'transactions-2.csv');
    expect(rows.map(told)).toEqual(['2 1 {"transaction_id":"a","note":"Müller"}']);
    const header = await FileRecords.header({ ...options, fields: FIELDS_OF[KIND] }, 'transactions-2.csv');
    expect(header).toMatchObject({ text: 'Konto;Nr;Text' });
  });
});

describe('a file with rows of several kinds', () => {
  const entry = (kind: string, rows: object, fields: object, ignore: string[] = []): object => ({
    ...{ match: 'all.csv', kind, rows, ignore },
    fields: { external_account_number: 'ACCOUNT', ...fields },
  });
  const mapping = parseMapping(
    JSON.stringify({
      files: [
        entry('notes', { REC: ['N', 'M'] }, { body: 'TEXT' }, ['ID']),
        {
          ...entry('statements', { REC: ['S'] }, { statement_id: 'ID' }, ['TEXT']),
          form: { leave_out: { REC: ['TRL'] } },
        },
        { match: 'all.csv', kind: 'transactions', ignore: ['REC', 'ACCOUNT', 'ID', 'TEXT'] },
      ],
    }),
    'mapping.json',
  );
  const TEXT =
    'REC,ACCOUNT,ID,TEXT\nN,1,,first\nS,1,B-1,\nX,1,,unknown\nM,2,,second\nTRL,5,,\nN,1,a"b,stray\nS,1\n,1,,blank\n';

  async function readAs(kind: Kind): Promise<{ rows: string[]; leftOut: number | undefined }> {
    const folder = folderWith({ 'all.csv': TEXT });
    const rows: ReadRow[] = [];
    const { rules } = await visitFile(
      { folder, fields: FIELDS_OF[kind], mapping: mapping.of(kind) },
      'all.csv',
      (...record) => rows.push(toRow(...record)),
    );
    return { rows: rows.map(told), leftOut: rules['leave_out REC "TRL"'] };
  }

  it('has each row in one of them, and what is of none and cannot be read fails once (L1, L11)', async () => {
    expect(mapping.kindsOf('all.csv')).toEqual(['notes', 'statements']);
    expect(await readAs('notes')).toEqual({
      rows: ['2 1 {"body":"first"}', '4 invalid ', '5 2 {"body":"second"}', '7 parse_error ', '9 invalid '],
      leftOut: 1,
    });
    expect(await readAs('statements')).toEqual({
      rows: ['3 1 {"statement_id":"B-1"}', '8 invalid '],
      leftOut: undefined,
    });
  });

  it('is found for each (L11)', async () => {
    const { files, others } = await findFiles(folderWith({ 'all.csv': TEXT }), mapping);
    expect([[...files], others]).toEqual([
      [
        ['notes', ['all.csv']],
        ['statements', ['all.csv']],
      ],
      [],
    ]);
  });

  it('has rows that failed read as of their kind, and those of another are refused, not passed over (L6)', async () => {
    const folder = folderWith({ 'notes.csv': 'REC,ACCOUNT,ID,TEXT\nN,1,,corrected\nS,1,B-2,\n' });
    const options = { folder, kind: 'notes', mapping: mapping.of('notes'), cameFrom: 'all.csv' } as const;
    const rows = await rowsIn(options, 'notes.csv');
    expect(rows.map(told)).toEqual(['2 1 {"body":"corrected"}', '3 invalid ']);
  });
});
