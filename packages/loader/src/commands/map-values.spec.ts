import { join } from 'node:path';
import { folderWith } from '../../../../test/support/folders.js';
import { mapFile } from './map.js';

const TRANSACTIONS = 'transactions.csv';

interface Case {
  readonly name: string;
  readonly file?: string;
  readonly text: string;
  /** Parts of the entry that must be proposed. */
  readonly entry: object;
  readonly said?: RegExp;
  /** For each line, `not sent` or a part of the item that is sent. */
  readonly rows?: Readonly<Record<number, string>>;
}

/** Rows of transactions with a header. */
function ledger(columns: string, rows: readonly string[], delimiter = ','): string {
  const lines = rows.map((row, index) => ['1001', `T-${index}`, '13/11/2026', row].join(delimiter));
  return [['Account', 'Transaction ID', 'Date', columns].join(delimiter), ...lines].join('\n');
}

const times = (count: number, row: string): string[] => Array.from({ length: count }, () => row);
const amount = (form: object): object => ({ fields: { amount: { column: 'Amount', amount: form } } });
const sign = (words: object, column = 'D/C'): object => ({
  fields: { amount: { column: 'Amount', sign: { column, words } } },
});
const pair = (parts: object): object => ({
  fields: { amount: { debit: 'Debit', credit: 'Credit', ...parts } },
});
const date = (dates: unknown, more = {}): object => ({
  fields: { transaction_date: { column: 'Date', dates, ...more } },
});
const days = (...values: string[]): string =>
  ['Account,Transaction ID,Amount,Date', ...values.map((day, index) => `1001,T-${index},1.00,${day}`)].join(
    '\n',
  );
const created = (...values: string[]): string =>
  ['external_account_number,body,created_at', ...values.map((time) => `1,x,${time}`)].join('\n');
const moment = (forms: unknown, more = {}): object => ({
  fields: { created_at: { column: 'created_at', moment: { forms, ...more } } },
});

const CASES: readonly Case[] = [
  {
    name: 'a day in no known form',
    text: days('27.11.26 16.01.21'),
    entry: date('?'),
    said: /27\.11\.26 16\.01\.21 has no known form/,
  },
  {
    name: 'the only column of times',
    file: 'notes.csv',
    text: 'external_account_number,body,when\n1,x,2026-11-02T10:00:00Z',
    entry: { fields: { created_at: 'when' } },
  },
  // Amounts that could be two numbers.
  {
    name: 'whole thousands with points',
    text: ledger('Amount', ['3.000', '-1.000', '12.500'], ';'),
    entry: amount({ decimal: '?', thousands: '?' }),
    said: /amounts such as 3\.000 could be two numbers: fill in "decimal" and "thousands"\. Probably the decimal sign is ",", because cells are separated by ;/,
    rows: { 2: 'not sent' },
  },
  {
    name: 'whole thousands with commas',
    text: ledger('Amount', ['"2,500"', '"£1,000"', '950', '"(12,000)"']),
    entry: amount({ decimal: '?', thousands: '?', negative: ['(1)'], currency: ['£'] }),
    said: /Probably the decimal sign is "\."/,
    rows: { 2: 'not sent', 4: 'not sent' },
  },
  {
    name: 'thousands in debit and credit columns',
    text: ledger('Debit,Credit', ['"2,500",', ',"1,000"']),
    entry: pair({ amount: { decimal: '?', thousands: '?' } }),
  },
  {
    name: 'a decimal sign behind row 250',
    text: ledger('Amount', [...times(250, '3.000'), '89,90'], ';'),
    entry: amount({ decimal: ',', thousands: '?' }),
    rows: { 2: 'not sent' },
  },
  {
    name: 'both decimal signs',
    text: ledger('Amount', ['12,50', '12.50'], ';'),
    entry: amount({ decimal: '?' }),
  },
  {
    name: 'another column that shows its sign',
    text: ledger('Amount;Balance', ['3.000;0,5'], ';'),
    entry: amount({ decimal: '?', thousands: '?' }),
    said: /because Balance has it/,
  },
  {
    name: 'thousands beside a decimal point',
    text: ledger('Amount', ['"1,234.50"', '"3,000"', '7']),
    entry: amount({ decimal: '.', thousands: ',' }),
    rows: { 2: '"amount":1234.50', 3: '"amount":3000' },
  },
  {
    name: 'amounts below one',
    text: ledger('Amount', ['0.500', '1.250']),
    entry: { fields: { amount: 'Amount' } },
    rows: { 2: '"amount":0.500' },
  },
  // Signs.
  {
    name: 'words in any case',
    text: ledger('Amount,Dr/Cr', ['1.00,Dr', '2.00,Cr']),
    entry: sign({ Dr: 1, Cr: -1 }, 'Dr/Cr'),
    rows: { 3: '"amount":-2.00' },
  },
  {
    name: 'words of banks',
    text: ledger('Amount,D/C', ['1.00,DBIT', '2.00,CRDT']),
    entry: sign({ DBIT: 1, CRDT: -1 }),
    rows: { 3: '"amount":-2.00' },
  },
  {
    name: 'Af and Bij',
    text: ledger('Amount,Af/Bij', ['1.00,Af', '2.00,Bij']),
    entry: sign({ Af: 1, Bij: -1 }, 'Af/Bij'),
    said: /-1 reduces what the customer owes\. Check it/,
  },
  {
    name: 'signs in a column of another name',
    text: ledger('Amount,Kind of row', ['1.00,Soll', '2.00,Haben']),
    entry: sign({ Soll: 1, Haben: -1 }, 'Kind of row'),
  },
  {
    name: 'words that are not known',
    text: ledger('Amount,D/C', ['1.00,IN', '2.00,OUT']),
    entry: sign({ IN: '?', OUT: '?' }),
    said: /fill in what the words of D\/C mean/,
    rows: { 2: 'not sent' },
  },
  {
    name: 'a sign of its own beside a column of signs',
    text: ledger('Amount,D/C', ['1.00,D', '-2.00,C']),
    entry: sign({ D: 1, C: -1 }),
    said: /Amount has signs of its own/,
    rows: { 3: 'not sent' },
  },
  {
    name: 'words behind amounts',
    text: ledger('Amount', ['1.00 Debit', '2.00 Credit']),
    entry: amount({ decimal: '.', words: { Debit: 1, Credit: -1 } }),
    rows: { 3: '"amount":-2.00' },
  },
  {
    name: 'a minus in each debit',
    text: ledger('Debit,Credit', ['-1.00,', ',2.00', '-3.00,']),
    entry: pair({ minus: 'sign' }),
    said: /Check it/,
    rows: { 2: '"amount":1.00' },
  },
  {
    name: 'a minus in some credits',
    text: ledger('Debit,Credit', ['1.00,', ',2.00', ',-3.00']),
    entry: pair({ minus: '?' }),
    said: /fill in "minus"/,
    rows: { 4: 'not sent' },
  },
  {
    name: 'two currencies',
    text: ledger('Amount', ['1.00 EUR', '2.00 EUR', '3.00 USD']),
    entry: amount({ decimal: '.', currency: ['EUR'] }),
    said: /Those in USD fail/,
    rows: { 4: 'not sent' },
  },
  // Days.
  {
    name: 'days that fit two forms, one of them no day',
    text: days('05/11/2026', '06/11/2026', 'n/a'),
    entry: date('?'),
    said: /could be DD\/MM\/YYYY or MM\/DD\/YYYY/,
    rows: { 2: 'not sent' },
  },
  {
    name: 'a day that decides behind row 250',
    text: days(...times(250, '05/11/2026'), '13/11/2026'),
    entry: date('DD/MM/YYYY'),
    rows: { 2: '"transaction_date":"2026-11-05"' },
  },
  { name: 'the same day and month first', text: days('05/05/2026', '06/05/2026'), entry: date('?') },
  {
    name: 'years of two digits',
    text: days('16.11.98', '17.11.98'),
    entry: date('DD.MM.YY', { first_year: '?' }),
    said: /years of two digits/,
    rows: { 2: 'not sent' },
  },
  {
    name: 'years of two digits that could be days',
    text: days('16.01.23'),
    entry: date('?', { first_year: '?' }),
    said: /DD\.MM\.YY or YY\.MM\.DD/,
  },
  {
    name: 'times with an offset',
    text: days('2026-11-05T10:00:00.000Z'),
    entry: date('YYYY-MM-DDTHH:mm:ss.SSSZ'),
    said: /the day is read as it is written/,
    rows: { 2: '"transaction_date":"2026-11-05"' },
  },
  {
    name: 'midnight of another zone',
    text: days('2026-10-31T23:00:00Z', '2026-06-30T22:00:00Z'),
    entry: date('?'),
    said: /may be the next day/,
  },
  {
    name: 'what is no form that is known',
    text: days('2026-11-05', '2026-11-05 10:00:00 UTC'),
    entry: {},
    rows: { 3: 'not sent' },
  },
  // Times.
  {
    name: 'an offset of hours',
    file: 'notes.csv',
    text: created('2026-07-05 21:25:58.745232+02', '2026-01-05 21:25:58+01'),
    entry: moment(['YYYY-MM-DD HH:mm:ss.SSSZ']),
    rows: { 2: '"created_at":"2026-07-05T21:25:58.745232+02:00"' },
  },
  {
    name: 'an offset without a colon',
    file: 'notes.csv',
    text: created('2026-11-05T10:00:00.000+0000'),
    entry: moment(['YYYY-MM-DDTHH:mm:ss.SSSZ']),
  },
  {
    name: 'times without an offset',
    file: 'notes.csv',
    text: created('13/11/2026 10:00'),
    entry: moment(['DD/MM/YYYY HH:mm'], { timezone: '?' }),
    rows: { 2: 'not sent: fill in fields.created_at.moment.timezone of the mapping.' },
  },
  {
    name: 'seconds',
    file: 'notes.csv',
    text: created('1762300800', '1762300801'),
    entry: { fields: { created_at: { column: 'created_at', epoch: 's' } } },
    rows: { 2: '"created_at":"2025-11-05T00:00:00Z"' },
  },
  {
    name: 'milliseconds in NDJSON',
    file: 'notes.ndjson',
    text: '{"external_account_number":"1","body":"x","created_at":1762300800000}',
    entry: { fields: { created_at: { column: 'created_at', epoch: 'ms' } } },
  },
  // NDJSON.
  {
    name: 'amounts as strings',
    file: 'transactions.ndjson',
    text: '{"external_account_number":"1","transaction_id":"a","transaction_date":"2026-11-01","amount":"12.50","type":"CHARGE"}',
    entry: { fields: { amount: { column: 'amount', amount: { decimal: '.' } } } },
    rows: { 1: '"amount":12.50' },
  },
  {
    name: 'numbers as ids',
    file: 'transactions.ndjson',
    text: '{"external_account_number":1013,"transaction_id":12345678901234567890,"transaction_date":"2026-11-01","amount":1.50,"type":"CHARGE"}',
    entry: {
      fields: {
        external_account_number: { column: 'external_account_number' },
        transaction_id: { column: 'transaction_id' },
      },
    },
    rows: { 1: '"transaction_id":"12345678901234567890"' },
  },
  {
    name: 'true and false as strings',
    file: 'notes.ndjson',
    text: '{"external_account_number":"1","body":"x","is_pinned":"true"}',
    entry: { fields: { is_pinned: { column: 'is_pinned', values: { true: true } } } },
  },
  // Rows.
  {
    name: 'totals in the middle and at the end',
    text: `${ledger('Amount', ['1.00', '2.00'])}\nTotal 1001,,,3.00\n1002,T-9,14/11/2026,4.00\nTotal,,,7.00`,
    entry: { form: { leave_out: { Account: ['Total 1001', 'Total'] } } },
    said: /Total 1001, Total in Account are left out: 4, 6\./,
  },
  {
    name: 'names that begin like totals',
    text: 'Customer,Account,Transaction ID,Date,Amount\nTotal Fitness,1023,T-1,13/11/2026,12.50\nSumme & Co,1023,T-2,14/11/2026,1.00\nTotal,,,,13.50',
    entry: { form: { leave_out: { Customer: ['Total'] } } },
    rows: { 2: '"transaction_id":"T-1"' },
  },
  {
    name: 'a name that is also that of a total',
    text: 'Customer,Account,Transaction ID,Date,Amount\nTotal,1023,T-1,13/11/2026,12.50\nTotal,,,,12.50',
    entry: {},
    rows: { 3: 'not sent' },
  },
  {
    name: 'nothing by a word',
    text: ledger('Amount,Note', ['1.00,NULL', 'NULL,\\N']),
    entry: { form: { null: ['NULL', '\\N'] } },
    said: /NULL, \\N is read as nothing/,
  },
  {
    name: 'a title padded with delimiters',
    text: `Ledger,,,\n${ledger('Amount', ['1.00'])}`,
    entry: { form: { skip_lines: 1 } },
    rows: { 3: '"amount":1.00' },
  },
  {
    name: 'a preamble longer than its table',
    text: `Report,x\nBy,me\nOn,13/11/2026\n${ledger('Amount', ['1.00'])}`,
    entry: { form: { skip_lines: 3 } },
    rows: { 5: '"amount":1.00' },
  },
  {
    name: 'a second header',
    text: `${ledger('Amount', ['1.00'])}\nAccount,Transaction ID,Date,Amount\n1001,T-8,14/11/2026,2.00`,
    entry: { form: { repeated_header: 'leave_out' } },
    said: /has its header 2 times; the repetitions are left out/,
  },
  {
    name: 'no header',
    text: '1001,T-1,13/11/2026,1.00\n1002,T-2,14/11/2026,2.00',
    entry: { form: { header: ['column_1', 'column_2', 'column_3', 'column_4'] } },
    said: /has no header: line 1 has the value "1001"/,
  },
  {
    name: 'no header but words of a list',
    file: 'payment-instructions.csv',
    text: 'A,STRIPE,ref,CARD\nB,STRIPE,rfe,CARD',
    entry: { form: { header: ['column_1', 'column_2', 'column_3', 'column_4'] } },
  },
  // Rules of form.
  {
    name: 'a third decimal place and a long id',
    text: `${ledger('Amount', ['1.005'])}\n1001,${'x'.repeat(129)},13/11/2026,2.00`,
    entry: {},
    rows: { 2: 'At most 2 decimal places', 3: 'At most 128 characters' },
  },
];

describe('proposing how values are read', () => {
  it.each(CASES)('$name (L3, L11)', async ({ file = TRANSACTIONS, text, entry, said = /.*/s, rows = {} }) => {
    const type = file === TRANSACTIONS && !text.startsWith('1001') ? withType(text) : text;
    const folder = folderWith({ [file]: `${type}\n` });
    const { mapping, remarks, rows: shown } = await mapFile(join(folder, file), {});
    expect(mapping.files[0] ?? {}).toMatchObject(entry);
    if (!('form' in entry)) expect(Object.keys(mapping.files[0]?.form ?? {})).not.toContain('leave_out');
    expect(remarks.join('\n')).toMatch(said);
    for (const [line, part] of Object.entries(rows)) {
      const row = shown.find(({ origin }) => origin.line === Number(line));
      const written = row?.problem === undefined ? (row?.item ?? '') : `not sent: ${row.problem}`;
      expect(written).toContain(part);
    }
  });
});

/** Every row of transactions has a type. */
function withType(text: string): string {
  const delimiter = text.includes(';') ? ';' : ',';
  const width = (text.split('\n').find((line) => line.includes('Account')) ?? '').split(delimiter).length;
  return text
    .split('\n')
    .map((line) => (line.split(delimiter).length < width - 1 ? line : `${line}${delimiter}${typeOf(line)}`))
    .join('\n');
}

function typeOf(line: string): string {
  if (line.includes('Account')) return 'type';
  return /^(?:Total,|Total 1|Ledger)/.test(line) ? '' : 'CHARGE';
}
