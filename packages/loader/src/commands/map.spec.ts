import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith, removeFolders } from '../../test/support/folders.js';
import { mapCommand, mapFile } from './map.js';

afterEach(removeFolders);

const LEDGER = [
  'Account No,Booking Date,Betrag,transactionID,Narrative,Colour',
  '"1001",03.04.2026,"1.234,50",L-1,"Bill, March",red',
  '1001,28.04.2026,"-12,00",L-2,Payment,blue',
].join('\r\n');

describe('proposing a mapping', () => {
  it('finds fields by other names, and the forms of dates and decimals by the values', async () => {
    const folder = folderWith({ 'transactions.csv': LEDGER });
    const { mapping, remarks, rows } = await mapFile(join(folder, 'transactions.csv'), {});
    expect(mapping).toEqual({
      transactions: {
        columns: {
          external_account_number: 'Account No',
          transaction_date: 'Booking Date',
          amount: 'Betrag',
          transaction_id: 'transactionID',
          display_note: 'Narrative',
        },
        constants: { type: '' },
        dates: 'DD.MM.YYYY',
        decimals: ',',
        ignore: ['Colour'],
      },
    });
    expect(remarks.join(' ')).toMatch(/Not used.*Colour.*No column was found for type/);
    expect(rows.map(({ account, item }) => [account, item])).toEqual([
      [
        '1001',
        '{"transaction_date":"2026-04-03","amount":1234.50,"transaction_id":"L-1","display_note":"Bill, March"}',
      ],
      [
        '1001',
        '{"transaction_date":"2026-04-28","amount":-12.00,"transaction_id":"L-2","display_note":"Payment"}',
      ],
    ]);
  });

  it('says when the first rows allow two forms of a date', async () => {
    const folder = folderWith({ 'bills.csv': 'account,statement_id,from,to\n1,S,01/02/2026,03/04/2026\n' });
    const { mapping, remarks } = await mapFile(join(folder, 'bills.csv'), { kind: 'statements' });
    expect(mapping.statements?.dates).toBe('DD/MM/YYYY');
    expect(remarks.join(' ')).toContain('MM/DD/YYYY would fit the first rows too');
  });

  it('needs nothing for a file in the form of the service', async () => {
    const folder = folderWith({
      'notes.ndjson.gz':
        '{"external_account_number":"1","body":"Hello","created_at":"2026-01-02T10:00:00Z"}\n',
    });
    const { mapping, remarks, rows } = await mapFile(join(folder, 'notes.ndjson.gz'), {});
    expect(mapping).toEqual({ notes: {} });
    expect(remarks).toEqual([]);
    expect(rows[0]?.item).toBe('{"body":"Hello","created_at":"2026-01-02T10:00:00Z"}');
  });

  it('renames the members of NDJSON and reads other words for true and false', async () => {
    const folder = folderWith({
      'notes-1.ndjson':
        '{"kundennummer":"7","comment":"Hi","pinned":"Y"}\n{"kundennummer":"8","comment":"Ho","pinned":"N"}\n',
    });
    const { mapping, rows } = await mapFile(join(folder, 'notes-1.ndjson'), {});
    expect(mapping.notes?.values).toEqual({ is_pinned: { Y: true, N: false } });
    expect(rows.map(({ account, item }) => [account, item])).toEqual([
      ['7', '{"body":"Hi","is_pinned":true}'],
      ['8', '{"body":"Ho","is_pinned":false}'],
    ]);
  });

  it('asks for the kind when the name does not say it', async () => {
    const folder = folderWith({ 'ledger.csv': LEDGER });
    await expect(mapFile(join(folder, 'ledger.csv'), {})).rejects.toThrow('name it with --kind');
    await expect(mapFile(join(folder, 'ledger.csv'), { kind: 'transaction' })).rejects.toThrow(
      'Did you mean transactions?',
    );
  });

  it('prints the mapping alone on standard output, or writes it to a new file', async () => {
    const folder = folderWith({ 'transactions.csv': LEDGER });
    const printed = { out: '', err: '' };
    const io = {
      out: (text: string): void => void (printed.out += text),
      err: (text: string): void => void (printed.err += text),
      environment: {},
    };
    await mapCommand(join(folder, 'transactions.csv'), {}, io);
    expect(JSON.parse(printed.out)).toHaveProperty('transactions.columns.amount', 'Betrag');
    expect(printed.err).toContain('line 2, account 1001: {"transaction_date":"2026-04-03"');

    const output = join(folder, 'mapping.json');
    const before = printed.out;
    await mapCommand(join(folder, 'transactions.csv'), { output }, io);
    expect(printed.err.trimEnd().split('\n').at(-1)).toBe(
      `data-import-loader load ${folder} --mapping ${output} --dry-run`,
    );
    expect(printed.out).toBe(before);
    expect(readFileSync(output, 'utf8')).toBe(before);
    expect(existsSync(output)).toBe(true);
    await expect(mapCommand(join(folder, 'transactions.csv'), { output }, io)).rejects.toThrow(
      'it is there already',
    );
  });
});
