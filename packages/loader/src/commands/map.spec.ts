import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { folderWith } from '../../../../test/support/folders.js';
import { formatted, formula, workbookOf, type WrittenCell } from '../../../files/test/support/workbook.js';
import { zipOf } from '../../../files/test/support/zip.js';
import type { ShownRow } from '../mapping/first-rows.js';
import { mapCommand, mapFile } from './map.js';

const LEDGER = [
  'Account No,Booking Date,Betrag,transactionID,Narrative,Colour',
  '"1001",03.04.2026,"1.234,50",L-1,"Bill, March",red',
  '1001,28.04.2026,"-12,00",L-2,Payment,blue',
].join('\r\n');

/** The rows as texts, such as `1001: {…}`, or with the list of an item. */
function shown(rows: readonly ShownRow[]): string[] {
  return rows.map(({ account, list, item, problem }) => `${list ?? account ?? ''}: ${item ?? problem ?? ''}`);
}

/** A sheet from lines of cells. */
function sheetOf(name: string, ...lines: readonly string[]): { name: string; rows: WrittenCell[][] } {
  return { name, rows: lines.map((line) => line.split(',')) };
}

describe('proposing a mapping', () => {
  it('finds fields under other names, and the forms of dates and decimals from the values', async () => {
    const folder = folderWith({ 'transactions.csv': LEDGER });
    const { mapping, remarks, rows } = await mapFile(join(folder, 'transactions.csv'), {});
    expect(mapping).toEqual({
      files: [
        {
          match: 'transactions.csv',
          kind: 'transactions',
          fields: {
            external_account_number: 'Account No',
            transaction_date: { column: 'Booking Date', dates: 'DD.MM.YYYY' },
            amount: { column: 'Betrag', amount: { decimal: ',' } },
            transaction_id: 'transactionID',
            display_note: 'Narrative',
          },
          constants: { type: '?' },
          ignore: ['Colour'],
        },
      ],
    });
    expect(remarks.join(' ')).toMatch(
      /Not used.*Colour.*No column was found for type: .+ Known for type are CHARGE, CREDIT, /,
    );
    expect(shown(rows)).toEqual([
      '1001: {"transaction_date":"2026-04-03","amount":1234.50,"transaction_id":"L-1","display_note":"Bill, March"}',
      '1001: {"transaction_date":"2026-04-28","amount":-12.00,"transaction_id":"L-2","display_note":"Payment"}',
    ]);
  });

  it('needs no mapping for a file in the form of the service', async () => {
    const text = '{"external_account_number":"1","body":"Hello","created_at":"2026-01-02T10:00:00Z"}\n';
    const folder = folderWith({ 'notes.ndjson.gz': text });
    const { mapping, remarks, rows } = await mapFile(join(folder, 'notes.ndjson.gz'), {});
    expect(mapping).toEqual({ files: [] });
    expect(remarks).toEqual([]);
    expect(rows[0]?.item).toBe('{"body":"Hello","created_at":"2026-01-02T10:00:00Z"}');
  });

  it('renames members of NDJSON and reads other words for true and false', async () => {
    const folder = folderWith({
      'notes-1.ndjson':
        '{"kundennummer":"7","comment":"Hi","pinned":"Y"}\n{"kundennummer":"8","comment":"Ho","pinned":"N"}\n',
    });
    const { mapping, rows } = await mapFile(join(folder, 'notes-1.ndjson'), {});
    expect(mapping.files[0]?.fields?.is_pinned).toEqual({ column: 'pinned', values: { Y: true, N: false } });
    expect(shown(rows)).toEqual(['7: {"body":"Hi","is_pinned":true}', '8: {"body":"Ho","is_pinned":false}']);
  });

  it('recognises the kind of a file by its columns, and asks for the kind when they do not tell', async () => {
    const folder = folderWith({ 'export.csv': LEDGER, 'colours.csv': 'a,b\n1,2\n' });
    const { mapping, remarks } = await mapFile(join(folder, 'export.csv'), {});
    expect(mapping.files[0]?.kind).toBe('transactions');
    expect(remarks.join(' ')).toContain('export.csv is read as transactions because of its columns');
    await expect(mapFile(join(folder, 'colours.csv'), {})).rejects.toThrow('with --kind transactions, or');
    await expect(mapFile(join(folder, 'export.csv'), { kind: 'transaction' })).rejects.toThrow(
      'Did you mean transactions?',
    );
  });

  it('finds the delimiter, encoding, titles, totals and forms of amounts and dates of a German ledger (L3, L11)', async () => {
    const text = [
      'Auszug für 2026',
      '',
      'Konto;Belegnummer;Buchungsdatum;Umsatz,EUR;Betrag;Soll/Haben;Art',
      '1001;L-1;05.11.2026;x;1.234,50;S;R',
      '1001;L-2;05.11.2026;x;12,50;H;R',
      '1001;L-3;05.11.2026;x;1.012;H;R',
      '1001;L-4;31.11.2026;x;2,00;H;R',
      'Summe;;;;1.236,00;;',
    ].join('\r\n');
    const folder = folderWith({ 'buchungen.csv': Buffer.from(text, 'latin1') });
    const { mapping, remarks, rows } = await mapFile(join(folder, 'buchungen.csv'), { kind: 'transactions' });
    expect(mapping.files).toEqual([
      {
        match: 'buchungen.csv',
        kind: 'transactions',
        form: { delimiter: ';', encoding: 'windows-1252', skip_lines: 2, leave_out: { Konto: ['Summe'] } },
        fields: {
          external_account_number: 'Konto',
          transaction_id: 'Belegnummer',
          transaction_date: { column: 'Buchungsdatum', dates: 'DD.MM.YYYY' },
          amount: {
            column: 'Betrag',
            amount: { decimal: ',', thousands: '.' },
            sign: { column: 'Soll/Haben', words: { H: -1, S: 1 } },
          },
          type: { column: 'Art', values: { R: '?' } },
        },
        ignore: ['Umsatz,EUR'],
      },
    ]);
    expect(remarks.join(' ')).toMatch(/Windows-1252.*line 3 is read as the header.*Summe in Konto/);
    expect(rows.map(({ origin, item, problem }) => `${origin.line} ${item ?? problem ?? ''}`)).toEqual([
      '4 {"transaction_id":"L-1","transaction_date":"2026-11-05","type":"?","amount":1234.50}',
      expect.stringMatching(/^7 transaction_date: Column 3 \(Buchungsdatum\) is no day/),
    ]);
  });

  it('finds debit and credit columns, month names, Excel days, and amounts with signs beside them (L3, L11)', async () => {
    const folder = folderWith({
      'transactions-1.tsv':
        'account\tid\tdate\tDebit\tCredit\n1\ta\t05-NOV-2026\t£12.50\t\n1\tb\t6-Nov-2026\t\t£2.00\n',
      'transactions-2.csv':
        'account,id,date,amount\n1,a,46331,12.50-\n1,b,46332,(2.00)\n1,c,13/11/2026,3.00 CR\n',
      'transactions-3.csv':
        'account,id,date,amount\n1,a,46331,12.50-\n1,b,46332,(2.00)\n1,c,13/11/2026,3.00 CR\n',
      'notes.csv':
        'external_account_number,body,created_at\n1,x,05/11/2026 3:45 PM\n1,y,13/11/2026 10:00 AM\n',
    });
    const { mapping, remarks, rows } = await mapFile(folder, {});
    const [notes, first, second] = mapping.files;
    expect(notes?.fields).toEqual({
      created_at: { column: 'created_at', moment: { forms: ['DD/MM/YYYY h:mm A'], timezone: '?' } },
    });
    expect(remarks.join(' ')).toMatch(/notes.csv: created_at: times without an offset: fill in/);
    expect(first?.fields).toMatchObject({
      transaction_date: { dates: 'D-MMM-YYYY', language: 'en' },
      amount: { debit: 'Debit', credit: 'Credit', amount: { decimal: '.', currency: ['£'] } },
    });
    expect(second).toMatchObject({
      match: ['transactions-2.csv', 'transactions-3.csv'],
      fields: {
        transaction_date: { column: 'date', dates: ['excel', 'DD/MM/YYYY'] },
        amount: {
          column: 'amount',
          amount: { decimal: '.', negative: ['1-', '(1)'], words: { CR: -1, DR: 1 } },
        },
      },
    });
    const amounts = rows.flatMap(({ item = '' }) => /"amount":([^,}]+)/.exec(item)?.[1] ?? []);
    expect(amounts).toEqual(['12.50', '-2.00', '-12.50', '-2.00', '-3.00', '-12.50', '-2.00', '-3.00']);
  });

  it('finds files with the line items and taxes of charges, and their join keys (L3, L11)', async () => {
    const folder = folderWith({
      'billing-charges.csv':
        'bill,account_no,date,amount,product\nC-1,1001,05/11/2026,12.50,GAS\nC-2,1001,13/11/2026,9.00,GAS\n',
      'billing-lines-1.csv':
        'Bill;from;to;kWh;net\nC-2;01/10/2026;31/10/2026;20,5;8,00\nC-1;14/10/2026;31/10/2026;1,0;9,50\n',
      'billing-lines-2.csv': 'Bill;from;to;kWh;net\nC-1;01/10/2026;13/10/2026;10,0;1.012\n',
      'taxes.ndjson': '{"of_charge":"C-1","tax":"2.50","vat_rate":"0.05"}\n',
      'notes.csv': 'external_account_number,body\n1,Hello\n',
    });
    const { mapping, remarks, rows } = await mapFile(folder, {});
    expect(mapping.files).toEqual([
      {
        match: 'billing-charges.csv',
        kind: 'transactions',
        fields: {
          transaction_id: 'bill',
          external_account_number: 'account_no',
          transaction_date: { column: 'date', dates: 'DD/MM/YYYY' },
          product_code: 'product',
          line_items: {
            from: ['billing-lines-1.csv', 'billing-lines-2.csv'],
            key: { Bill: 'bill' },
            form: { delimiter: ';' },
            fields: {
              start_date: { column: 'from', dates: 'DD/MM/YYYY' },
              end_date: { column: 'to', dates: 'DD/MM/YYYY' },
              number_of_units: { column: 'kWh', amount: { decimal: ',' } },
              net_amount: { column: 'net', amount: { decimal: ',', thousands: '?' } },
            },
          },
          tax_items: {
            from: 'taxes.ndjson',
            key: { of_charge: 'bill' },
            fields: {
              amount: { column: 'tax', amount: { decimal: '.' } },
              rate: { column: 'vat_rate', amount: { decimal: '.' } },
            },
            constants: { tax_type: '?', value_taxed: '?', unit_type: '?' },
          },
        },
        constants: { type: '?' },
      },
    ]);
    const said = remarks.join('\n');
    expect(said).toContain(
      'billing-lines-1.csv, billing-lines-2.csv: It is read as line_items of billing-charges.csv, where Bill is the bill of the row. Check it.',
    );
    expect(said).toMatch(
      /No column was found for tax_type, .+ Known for unit_type are PROPORTION, CURRENCY_PER_KWH\./,
    );
    expect(shown(rows)).toEqual([
      '1001: {"transaction_id":"C-1","transaction_date":"2026-11-05","amount":12.50,"product_code":"GAS"}',
      '1001: {"transaction_id":"C-2","transaction_date":"2026-11-13","amount":9.00,"product_code":"GAS"}',
      'line_items: {"start_date":"2026-10-01","end_date":"2026-10-31","number_of_units":20.5,"net_amount":8.00}',
      'line_items: {"start_date":"2026-10-14","end_date":"2026-10-31","number_of_units":1.0,"net_amount":9.50}',
      expect.stringMatching(/^line_items: net_amount: Column 5 \(net\) could be two numbers/),
      '1: {"body":"Hello"}',
      'tax_items: {"amount":2.50,"rate":0.05}',
    ]);
  });

  it('recognises the kind of a file by the words of its name, and lists words whose meaning must be filled in (L3, L11)', async () => {
    const folder = folderWith({
      'contact-notes.csv': 'Account No,Comment\n1,Called\n',
      'ledger.csv':
        'Account No,Ref,Trans Type,Reason,Date,Amount\n1,a,BILL,imported charge,2026-11-05,1\n1,b,Payment,REFUND,2026-11-05,2\n1,c,CHARGE,,2026-11-05,3\n',
    });
    const { mapping, remarks } = await mapFile(folder, {});
    expect(mapping.files.map(({ kind }) => kind)).toEqual(['notes', 'transactions']);
    expect(mapping.files[1]?.fields).toMatchObject({
      type: { column: 'Trans Type', values: { BILL: '?', Payment: 'PAYMENT' } },
      reason: { column: 'Reason', values: { 'imported charge': 'IMPORTED_CHARGE' } },
    });
    expect(remarks).toContain('contact-notes.csv is read as notes because of its name. Check it.');
    expect(remarks.join(' ')).toMatch(
      /ledger\.csv: type: fill in what these mean: BILL\. Known are CHARGE, /,
    );
  });

  it('reports ids that a spreadsheet has rounded (L3, L10)', async () => {
    const rows = ['1,4.50E+15', '1,4.5E+15', '1,T-1'].map((cells) => `${cells},2026-11-05,1,CHARGE\n`);
    const header = 'external_account_number,transaction_id,transaction_date,amount,type\n';
    const folder = folderWith({ 'transactions.csv': header + rows.join('') });
    const { remarks } = await mapFile(folder, {});
    expect(remarks).toEqual([
      expect.stringContaining(
        'transaction_id: 4.50E+15 is a number that a spreadsheet has rounded',
      ) as string,
    ]);
  });

  it('finds padded cells, and quotes that are ordinary characters (L3, L11)', async () => {
    const folder = folderWith({
      'ledger.txt': 'ACCT-NO |TRANS-ID|     AMOUNT\n1001    |T-1     |     12.50-\n',
      'notes.txt': 'Account No\tComment\n1\tthe "old" meter\n2\t"new"\n',
      'notes-2.csv': 'Account No,Comment\n1,"a, ""b"""\n',
    });
    const { mapping, remarks, rows } = await mapFile(folder, {});
    expect(mapping.files.map(({ form }) => form)).toEqual([
      { delimiter: '|', trim: true },
      undefined,
      { delimiter: '\t', quote: '' },
    ]);
    expect(mapping.files[0]?.fields).toMatchObject({
      external_account_number: 'ACCT-NO',
      transaction_id: 'TRANS-ID',
    });
    expect(remarks.join(' ')).toMatch(/padded are removed.*quotes are read as ordinary characters/);
    expect(rows.map(({ item }) => item)).toContain('{"body":"\\"new\\""}');
  });

  it('proposes accounts, whose other columns go into account (S7, L3)', async () => {
    const folder = folderWith({
      'customers.csv':
        'Kundennr.;Name;Statement Period From;control.notes\n1001;Smith;13.11.2026;3\n1002;Jones;14.11.2026;4\n',
    });
    const { mapping, remarks, rows } = await mapFile(folder, { kind: 'customers.csv=accounts' });
    expect(mapping.files).toEqual([
      {
        match: 'customers.csv',
        kind: 'accounts',
        form: { delimiter: ';' },
        fields: {
          external_account_number: 'Kundennr.',
          open_statement_from: { column: 'Statement Period From', dates: 'DD.MM.YYYY' },
        },
      },
    ]);
    expect(remarks.join()).toContain('Put into "account"; list in "ignore" what is not wanted there: Name.');
    expect(shown(rows)).toContain(
      '1001: {"open_statement_from":"2026-11-13","control.notes":3,"account":{"Name":"Smith"}}',
    );
    await expect(mapFile(folder, {})).rejects.toThrow('--kind customers.csv=accounts');
  });

  it('proposes an entry for each sheet that fits a kind (L3, L11)', async () => {
    const sheets = [
      sheetOf('Cover', 'Acme,Ltd'),
      sheetOf('Ledger 1', 'Kundennr.,Belegnr.,Betrag', '1001,L-1,12.5'),
      sheetOf('Ledger 2', 'Kundennr.,Belegnr.,Betrag', '1001,L-2,7'),
      sheetOf('Contact notes', 'Account No,Comment', '1001,Called'),
      { ...sheetOf('Codes', 'A,B'), state: 'hidden' as const },
    ];
    const folder = folderWith({ 'My export.xlsx': workbookOf(sheets) });
    const { mapping, remarks, rows } = await mapFile(folder, {});
    expect(mapping.files.map(({ match, kind, form }) => [match, kind, form])).toEqual([
      ['My export.xlsx', 'transactions', { sheet: 'Ledger 1' }],
      ['My export.xlsx', 'transactions', { sheet: 'Ledger 2' }],
      ['My export.xlsx', 'notes', { sheet: 'Contact notes' }],
    ]);
    expect(remarks).toContain('My export.xlsx has hidden sheets, which are not read: "Codes".');
    expect(remarks).toContain('My export.xlsx (sheet Cover): It fits no kind, and has no entry.');
    expect(rows.map(({ origin, account }) => [origin.file, account])).toEqual([
      ['My export.xlsx (sheet Ledger 1)', '1001'],
      ['My export.xlsx (sheet Ledger 2)', '1001'],
      ['My export.xlsx (sheet Contact notes)', '1001'],
    ]);
  });

  it('proposes the lists of a JSON document, with the account of their parents (L3, L11)', async () => {
    const bill = { id: 'B-1', from: '2026-10-01', to: '2026-10-31', total: { gross: 12.5, net: 10 } };
    const transactions = [{ id: 77, date: '13/11/2026', amount: '-7,10', type: 'PAYMENT' }];
    const customers = [{ name: 'Smith', bills: [bill], transactions, accountNumber: '1001' }];
    const folder = folderWith({
      'crm.json': JSON.stringify({ customers }, undefined, 2),
      'mapping.json': '{"files":[{"match":"a","kind":"notes"}]}',
      'cut.json': '{"customers":[{"id"',
    });
    const { mapping, remarks, rows } = await mapFile(folder, {});
    expect(mapping.files).toEqual([
      {
        match: 'crm.json',
        kind: 'statements',
        form: { records: 'customers[].bills[]' },
        fields: {
          external_account_number: '^.accountNumber',
          statement_id: 'id',
          bill_period_from_date: 'from',
          bill_period_to_date: 'to',
          gross_amount: 'total.gross',
        },
        ignore: ['total.net'],
      },
      {
        match: 'crm.json',
        kind: 'transactions',
        form: { records: 'customers[].transactions[]' },
        fields: {
          external_account_number: '^.accountNumber',
          transaction_id: { column: 'id' },
          transaction_date: { column: 'date', dates: 'DD/MM/YYYY' },
          amount: { column: 'amount', amount: { decimal: ',' } },
        },
      },
    ]);
    const said = remarks.join('\n');
    for (const name of ['cut.json', 'mapping.json']) expect(said).toContain(`${name} has no list of objects`);
    expect(rows.map(({ problem }) => problem)).toEqual([undefined, undefined]);
    expect(shown(rows).join('\n')).toMatch(/1001: .*"gross_amount":12\.5.*\n1001: .*"amount":-7\.10/);
  });

  it('writes an entry for a list of a JSON document whose kind is requested, whatever its columns say (L3, L11)', async () => {
    const bills = [{ billNumber: 'B-1', billDate: '2026-11-03', totals: { net: 10, gross: 12.5 } }];
    const folder = folderWith({
      'run.json': JSON.stringify({ customers: [{ accountNumber: '1001', bills }] }),
    });
    const { mapping, remarks } = await mapFile(folder, { kind: 'run.json=transactions' });
    expect(mapping.files).toMatchObject([
      {
        ...{ match: 'run.json', kind: 'transactions', form: { records: 'customers[].bills[]' } },
        fields: { external_account_number: '^.accountNumber' },
      },
    ]);
    expect(remarks.join('\n')).not.toMatch(/Run this again with --kind|bills\[\]\): It fits no kind/);
    const other = folderWith({ 'run.json': JSON.stringify({ customers: [{ nothing: '1001', bills }] }) });
    const { mapping: open } = await mapFile(other, { kind: 'run.json=transactions' });
    expect(open.files).toMatchObject([
      { form: { records: 'customers[].bills[]' }, constants: { external_account_number: '?' } },
    ]);
  });

  it('passes over what it does not know, cannot read or finds of fixed width, and says what helps (L3)', async () => {
    const folder = folderWith({
      'My ledger.csv': 'Account No,Amount\n1001,12.50\n',
      'col ours.csv': 'a,b\n1,2\n',
      'cut.xlsx': 'x',
      'empty.csv': '',
      'photo.csv': Buffer.from([0x89, 0x50, 0x0a, 0, 1, 2, 0xff]),
      'LEDG.dat': '10ACC001  000012.50\n10ACC002  000013.50\n10ACC003  000014.50\n',
    });
    const output = join(folder, 'mapping.json');
    let said = '';
    const io = { print: String, say: (text: string) => void (said += `${text}\n`), environment: {} };
    await mapCommand(folder, { output }, io);
    expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({ files: [{ match: 'My ledger.csv' }] });
    expect(said).toContain("--kind 'col ours.csv=transactions'");
    expect(said).toMatch(/cut\.xlsx cannot be read.*\nempty\.csv has no header.*\nphoto\.csv is no text/);
    expect(said).toContain('"form": {"positions":{"NAME_1":[1,8],"NAME_2":[11,19]}}');
    expect(said).toContain('Fill in each "?", check it, then:');
    const kinds = ['col ours.csv=notes', 'transactions'];
    const { mapping } = await mapFile(folder, { kind: kinds });
    expect(mapping.files.map(({ match, kind }) => [match, kind])).toEqual([
      ['My ledger.csv', 'transactions'],
      ['col ours.csv', 'notes'],
    ]);
    await expect(mapFile(folder, { kind: 'other.csv=notes' })).rejects.toThrow('there is no file other.csv');
    await expect(mapFile(folderWith({ 'a.csv': 'a,b\n1,2\n', 'b.csv': '' }), {})).rejects.toThrow(
      /b\.csv has no header.*\na\.csv: neither its name/,
    );
  });

  it.each([
    ['Value Date', 'Date'],
    ['Buchungstag', 'Wertstellung'],
  ])('takes neither %s nor %s for the day, and names both (L3)', async (one, other) => {
    const row = '1031,15.11.2026,13.11.2026,CO-1,12.50,CHARGE';
    const text = `Account,${one},${other},Transaction ID,Amount,Type\n${row}\n`;
    const { mapping, remarks, rows } = await mapFile(folderWith({ 'transactions.csv': text }), {});
    expect(mapping.files[0]?.fields).toMatchObject({ transaction_date: '?' });
    expect(mapping.files[0]?.ignore).toBeUndefined();
    expect(remarks.join()).toContain(`transaction_date: ${one} and ${other} fit alike`);
    expect(rows[0]?.problem).toContain('fields.transaction_date');
  });

  it('prints the mapping alone on standard output, or writes it to a new file', async () => {
    const folder = folderWith({ 'transactions.csv': LEDGER });
    const printed = { out: '', err: '' };
    const io = {
      print: (text: string) => void (printed.out += text),
      say: (text: string) => void (printed.err += `${text}\n`),
      environment: {},
    };
    await mapCommand(join(folder, 'transactions.csv'), {}, io);
    expect(JSON.parse(printed.out)).toHaveProperty('files.0.fields.amount.column', 'Betrag');
    expect(printed.err).toContain(
      'line 2, account 1001: not sent: fill in constants.type of the mapping. {"transaction_date":"2026-04-03"',
    );

    const output = join(folder, 'mapping.json');
    const before = printed.out;
    await mapCommand(join(folder, 'transactions.csv'), { output }, io);
    expect(printed.err.trimEnd().split('\n').at(-1)).toBe(
      `data-import-loader load ${folder} --mapping ${output} --dry-run`,
    );
    expect(printed.out).toBe(before);
    expect(readFileSync(output, 'utf8')).toBe(before);
    await expect(mapCommand(join(folder, 'transactions.csv'), { output }, io)).rejects.toThrow(
      /file already exists .*Remove it, or choose another name\.$/,
    );
  });

  it('reads workbooks: the header after titles, forms from the cells, the sheet when several are visible (L11)', async () => {
    const day = (serial: number): WrittenCell => formatted(serial, 1);
    const rows: WrittenCell[][] = [
      ['Ledger of', 'November'],
      [],
      ['Account No', 'Booking Date', 'Amount', 'transactionID', 'Narrative'],
      ['1001', day(46331), 12.5, 'L-1', 'Bill;a;b;c'],
      ['1001', day(46332), formula('C4*2', 25), 'L-2'],
      ['Total', null, 37.5],
    ];
    const sheets = [
      sheetOf('Cover', 'Acme,Ltd'),
      { name: '2026', rows },
      { name: 'Old', state: 'hidden' as const, rows },
    ];
    const bytes = workbookOf(sheets, { formats: ['dd/mm/yyyy'] });
    const folder = folderWith({ 'Ledger.xlsx': bytes });
    const { mapping, remarks, rows: found } = await mapFile(join(folder, 'Ledger.xlsx'), {});
    expect(mapping.files).toEqual([
      {
        match: 'Ledger.xlsx',
        kind: 'transactions',
        form: { sheet: '2026', skip_lines: 2, leave_out: { 'Account No': ['Total'] } },
        fields: {
          external_account_number: 'Account No',
          transaction_date: 'Booking Date',
          amount: 'Amount',
          transaction_id: 'transactionID',
          display_note: 'Narrative',
        },
        constants: { type: '?' },
      },
    ]);
    expect(remarks).toContain('Ledger.xlsx has hidden sheets, which are not read: "Old".');
    expect(remarks).toContain('Ledger.xlsx (sheet Cover): It fits no kind, and has no entry.');
    expect(found.map(({ origin }) => origin.line)).toEqual([4, 5]);
    expect(shown(found)).toEqual([
      '1001: {"transaction_date":"2026-11-05","amount":12.5,"transaction_id":"L-1","display_note":"Bill;a;b;c"}',
      '1001: {"transaction_date":"2026-11-06","amount":25,"transaction_id":"L-2"}',
    ]);
    const notes = sheetOf('S', 'external_account_number,body,created_at', '1,x,2026-11-02T10:00:00Z');
    const alone = folderWith({ 'notes.xlsx': workbookOf([notes]) });
    expect((await mapFile(alone, {})).mapping).toEqual({ files: [] });
  });

  it('reads archives, whose members count as files of the folder (L11)', async () => {
    const table = 'Konto;Nr;Betrag\n1;L-1;2,50\n';
    const parts = zipOf([
      { name: 'out/ledger-1.csv', content: table },
      { name: 'out/ledger-2.csv.gz', content: gzipSync(table) },
      { name: 'out/ledger.xlsx', content: workbookOf([sheetOf('S', 'Konto,Nr', '1,L-3')]) },
      { name: 'out/secret.csv', content: table, flags: 1 },
      { name: 'out/letter.pdf', content: 'x' },
    ]);
    const folder = folderWith({ 'parts.zip': parts, '.hidden.zip': '', 'mapping.json': '{}' });
    for (const path of [folder, join(folder, 'parts.zip')]) {
      const { mapping, remarks, rows } = await mapFile(path, { kind: 'transactions' });
      expect(mapping.files.map(({ match, form }) => [match, form])).toEqual([
        [['parts.zip/out/ledger-1.csv', 'parts.zip/out/ledger-2.csv.gz'], { delimiter: ';' }],
        ['parts.zip/out/ledger.xlsx', undefined],
      ]);
      expect(remarks[0]).toBe(
        'parts.zip/out/letter.pdf is not read: load rejects it, unless it is removed or listed in "ignore_files".',
      );
      expect(remarks[1]).toMatch(/^parts\.zip\/out\/secret\.csv is not read: it is encrypted/);
      expect(rows.map(({ origin, account }) => `${origin.file}:${origin.line} ${account ?? ''}`)).toEqual([
        'parts.zip/out/ledger-1.csv:2 1',
        'parts.zip/out/ledger-2.csv.gz:2 1',
        'parts.zip/out/ledger.xlsx:2 1',
      ]);
    }
    await expect(mapFile(folderWith({ 'parts.zip': 'x' }), {})).rejects.toThrow(
      /has no file to propose a mapping for\. parts\.zip is not read: it is damaged, encrypted or no zip archive/,
    );
  });
});
