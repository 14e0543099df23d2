import { appendFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderWith } from '../../../test/support/folders.js';
import { setUp } from '../../../test/support/set-up.js';
import { sharedService } from '../../../test/support/shared-service.js';
import { startDecidingProxy } from './support/deciding-proxy.js';
import { accounts, LoaderWorld } from './support/loader.js';

const service = setUp(sharedService);

const DAY = { dates: 'DD/MM/YYYY' };

const MAPPING = {
  files: [
    {
      match: 'CHARGES.csv',
      kind: 'transactions',
      fields: {
        external_account_number: 'acc',
        transaction_id: 'no',
        transaction_date: { column: 'day', ...DAY },
        line_items: {
          from: 'LINES*.csv',
          key: { charge: 'no' },
          form: { delimiter: ';' },
          fields: {
            start_date: { column: 'from', ...DAY },
            end_date: { column: 'to', ...DAY },
            number_of_units: { column: 'units', amount: { decimal: ',' } },
            net_amount: { column: 'net', amount: { decimal: ',' } },
          },
        },
        tax_items: {
          from: 'TAXES.csv',
          key: { no: 'no' },
          fields: { value_taxed: 'net' },
          constants: { tax_type: 'VAT', rate: 0.05, unit_type: 'PROPORTION' },
        },
      },
      constants: { type: 'SUPPLY_CHARGE', product_code: 'ELECTRICITY' },
    },
  ],
};

const LINES = 'charge;from;to;units;net';

function line(charge: string, net: string, from = '01/10/2026'): string {
  return `${charge};${from};31/10/2026;10,5;${net}`;
}

function text(lines: readonly string[]): string {
  return lines.map((one) => `${one}\n`).join('');
}

interface Given {
  readonly world: LoaderWorld;
  readonly account: string;
  readonly options: readonly string[];
}

/** A folder with charges of one account that is imported. */
async function given(
  files: (account: string) => Readonly<Record<string, readonly string[]>>,
): Promise<Given> {
  const [account = ''] = accounts(1);
  const all = { 'TAXES.csv': ['no,net,amount'], ...files(account) };
  const texts = Object.entries(all).map(([name, lines]) => [name, text(lines)] as const);
  const world = await LoaderWorld.create(service, [account], Object.fromEntries(texts));
  const mapping = join(folderWith({ 'mapping.json': JSON.stringify(MAPPING) }), 'mapping.json');
  return { world, account, options: ['--mapping', mapping] };
}

interface Stored {
  readonly id: string;
  readonly lines: readonly { readonly net_amount: number }[] | null;
  readonly taxes: readonly { readonly amount: number }[] | null;
}

function stored(account: string): Promise<Stored[]> {
  return service.database.sql<Stored>(
    `SELECT transaction_id AS id, line_items AS lines, tax_items AS taxes
       FROM transaction WHERE external_account_number = $1 ORDER BY 1`,
    [account],
  );
}

const nets = (rows: readonly Stored[]): (string | number)[][] =>
  rows.map(({ id, lines }) => [id, ...(lines ?? []).map(({ net_amount: net }) => net)]);

/** One of each: good, refused by the service in its second line, not to be read there, and everything that belongs to nothing. */
function everyCase(account: string): Record<string, readonly string[]> {
  return {
    'CHARGES.csv': [
      'no,acc,day,amount',
      `C-1,${account},05/11/2026,12.50`,
      `C-2,${account},05/11/2026,12.50`,
      `C-3,${account},05/11/2026,12.50`,
      `C-4,${account},05/11/2026,12.50`,
      `C-5,${account},06/11/2026,12.50`,
      `C-5,${account},07/11/2026,12.50`,
    ],
    'LINES-1.csv': [
      LINES,
      line('C-3', '1,50'),
      line('C-1', '1,25'),
      line('C-2', '2,50'),
      line('C-9', '9,00'),
    ],
    'LINES-2.csv': [
      LINES,
      line('C-2', '3,50', '01/11/2026'),
      line('C-1', '2,25'),
      line('C-5', '5,00'),
      line('C-3', '1.012'),
    ],
    'TAXES.csv': ['no,net,amount', 'C-1,1,0.05', 'C-2,1,0.05', 'C-1,2,0.10'],
  };
}

const FAILED = [
  'LINES-1.csv,5,,no_parent_row,line_items,"No row has the key of this item (charge). Seen: ""C-9"""',
  'CHARGES.csv,3,A,start_date_later_than_end_date,line_items.1.start_date,LINES-2.csv:2: ',
  'CHARGES.csv,4,A,invalid,line_items.1.net_amount,"LINES-2.csv:5: Column 5 (net) could be two numbers',
  'CHARGES.csv,5,A,required,line_items,',
  'CHARGES.csv,6,A,repeated_key,,"The key (no) is also that of CHARGES.csv:7.',
  'CHARGES.csv,7,A,repeated_key,,"The key (no) is also that of CHARGES.csv:6.',
];

describe('charges with lines and taxes in other files', () => {
  it('are loaded whole, corrected whole and proved (L1, L2, L6, L10, L14)', async () => {
    const { world, account, options } = await given(everyCase);
    const first = await world.json('load', options);
    expect(first).toMatchObject({ code: 1, result: { read: 7, loaded: 1, failed: 6, unsent: 0 } });
    expect((await stored(account)).map(({ lines, taxes }) => [lines?.length, taxes?.length])).toEqual([
      [2, 2],
    ]);
    const errors = world.read('failures', 'transactions.errors.csv').trimEnd().split('\n').slice(1);
    expect(errors).toEqual(
      FAILED.map((begin): unknown => expect.stringContaining(begin.replace(',A,', `,${account},`))),
    );

    // What is not edited stays as it is, and nothing of it is sent.
    const rows = world.read('failures', 'transactions.ndjson');
    expect(await world.json('retry', options)).toMatchObject({
      code: 1,
      result: { read: 7, loaded: 1, failed: 6 },
    });
    expect(nets(await stored(account))).toEqual([['C-1', 1.25, 2.25]]);
    expect(world.read('failures', 'transactions.ndjson')).toBe(rows);
    expect(await world.json('load', options)).toMatchObject({ code: 1, result: { loaded: 1, failed: 6 } });

    // Of the rows with the same key the second goes, and the line that belongs nowhere becomes that of a charge.
    const [orphan = '', wrongDay = '', wrongNet = '', noLines = '', repeated = ''] = rows.split('\n');
    const completed = `{"external_account_number":"${account}","transaction_id":"C-9","transaction_date":"2026-11-05","amount":9,"type":"SUPPLY_CHARGE","product_code":"GAS",`;
    const corrected = [
      orphan.replace('{', completed),
      wrongDay.replace('"start_date":"2026-11-01"', '"start_date":"2026-10-01"'),
      wrongNet.replace('"1.012"', '1012'),
      noLines
        .replace('SUPPLY_CHARGE', 'CHARGE')
        .replace('"product_code"', '"reason":"IMPORTED_CHARGE","product_code"'),
      repeated,
    ];
    writeFileSync(join(world.folder, 'failures', 'transactions.ndjson'), text(corrected));
    expect(await world.json('retry', options)).toMatchObject({
      code: 1,
      result: { read: 7, loaded: 6, failed: 1 },
    });
    expect(nets(await stored(account))).toEqual([
      ['C-1', 1.25, 2.25],
      ['C-2', 2.5, 3.5],
      ['C-3', 1.5, 1012],
      ['C-4'],
      ['C-5', 5],
      ['C-9', 9],
    ]);
    // The other one is not sent as it stands, since it would be a second charge.
    // Whole rows need no mapping but for the kinds of the files.
    const kinds = join(
      folderWith({ 'kinds.json': JSON.stringify({ files: [{ match: '*.csv', kind: 'transactions' }] }) }),
      'kinds.json',
    );
    expect(await world.json('retry', ['--mapping', kinds])).toMatchObject({
      code: 1,
      result: { loaded: 6, failed: 1 },
    });
    expect(await world.json('status', options)).toMatchObject({
      code: 0,
      result: { read: 7, loaded: 6, failed: 1 },
    });
    const proof = await world.verify(options);
    expect(proof.result).toMatchObject({ rows: { matched: 6, missing: 1, different: 0, unexpected: 0 } });
    expect(proof.result.differences).toMatchObject([{ file: 'CHARGES.csv', line: 7, key: '' }]);
    expect(readdirSync(join(world.folder, '.data-import-loader', 'verify'))).not.toContainEqual(
      expect.stringContaining('sorted-'),
    );
  });

  it('are found to be there with other content, and are sent again where they are not (L10, L14)', async () => {
    const { world, account, options } = await given((number) => ({
      'CHARGES.csv': ['no,acc,day,amount', `C-1,${number},05/11/2026,1`, `C-2,${number},05/11/2026,2`],
      'LINES.csv': [LINES, line('C-2', '2'), line('C-1', '1'), line('C-2', '3')],
    }));
    expect(await world.json('load', options)).toMatchObject({ code: 0, result: { read: 2, loaded: 2 } });
    expect(readdirSync(join(world.folder, '.data-import-loader', 'temporary'))).toEqual([]);
    await service.database.sql(
      `DELETE FROM transaction WHERE external_account_number = $1 AND transaction_id = 'C-1'`,
      [account],
    );
    const again = await world.json('load', options);
    expect(again).toMatchObject({ code: 0, result: { read: 2, loaded: 2 } });
    expect(nets(await stored(account))).toEqual([
      ['C-1', 1],
      ['C-2', 2, 3],
    ]);
    writeFileSync(
      join(world.folder, 'LINES.csv'),
      text([LINES, line('C-2', '2'), line('C-1', '1'), line('C-2', '4')]),
    );
    const refused = await world.run('load', options);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('LINES.csv was changed.');
    expect(await world.json('load', [...options, '--again'])).toMatchObject({
      code: 1,
      result: {
        already: 1,
        failed: 1,
        groups: [{ code: 'stored_with_other_content', attr: 'line_items.net_amount' }],
      },
    });
    expect(world.read('failures', 'transactions.errors.csv')).toContain('"LINES.csv:4: ');
    expect((await world.verify(options)).result.differences).toMatchObject([
      { file: 'CHARGES.csv', line: 3, key: 'C-2', fields: ['line_items.1.net_amount'] },
    ]);
  });

  it('are checked by a dry run, and a file with lines that grows is named (L1, L3, L8)', async () => {
    const { world, account, options } = await given((number) => ({
      'CHARGES.csv': ['no,acc,day,amount', `C-1,${number},05/11/2026,1`],
      'LINES.csv': [LINES, line('C-1', '1')],
      'MORE.csv': [LINES],
    }));
    const unknown = await world.run('load', options);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('MORE.csv: its name does not start with a kind');
    const more = [...options, '--ignore', 'MORE.csv'];
    expect(await world.json('load', [...more, '--dry-run'])).toMatchObject({
      code: 0,
      result: { loaded: 1 },
    });
    expect(await stored(account)).toEqual([]);
    expect((await world.run('status', more)).stdout).toContain('1');
    const proxy = await startDecidingProxy(service.baseUrl, ({ path }) => {
      if (path.includes('transactions'))
        appendFileSync(join(world.folder, 'LINES.csv'), `${line('C-1', '2')}\n`);
      return undefined;
    });
    const end = await world.run('load', more, proxy);
    expect(end.code).toBe(3);
    expect(end.stderr).toContain('LINES.csv has grown by');
  });
});
