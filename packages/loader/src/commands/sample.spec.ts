import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_MAPPING, type ReadRow } from '@data-import/files';
import { folderWith } from '../../../../test/support/folders.js';
import { findFiles } from '../rows/folder.js';
import { prepare } from '../rows/prepare.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { PERIOD } from '../sample/account-rows.js';
import { badCodes } from '../sample/bad-rows.js';
import { writeSample, type SampleOptions } from './sample.js';
import { collect } from '../../test/support/rows.js';

const OPTIONS: SampleOptions = { accounts: 30, seed: 1, bad: 0, order: 'grouped' };

interface Expected {
  readonly accounts: Record<
    string,
    {
      notes: number;
      transactions: number;
      transactions_amount: string;
      statements: number;
      payment_instructions: number;
    }
  >;
  readonly bad: { file: string; line: number; code: string }[];
}

async function sampled(options: Partial<SampleOptions>): Promise<{ folder: string; expected: Expected }> {
  const folder = folderWith({});
  await writeSample(folder, { ...OPTIONS, ...options });
  return { folder, expected: JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected };
}

function linesOf(folder: string, name: string): string[] {
  return readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
}

async function rowsOf(folder: string, kind: Kind): Promise<{ isGrouped: boolean; rows: ReadRow[] }> {
  const { files } = await findFiles(folder);
  const options = { folder, workFolder: join(folder, '.work'), mapping: NO_MAPPING };
  const preparation = await prepare(kind, files.get(kind) ?? [], options);
  const rows = await collect(preparation, options);
  return { isGrouped: preparation.isGrouped, rows };
}

describe('the sample', () => {
  it('has control totals for each account that match the expected rows (L12, V6)', async () => {
    const { folder, expected } = await sampled({ bad: 3 });
    const controls = linesOf(folder, 'accounts.ndjson').map((line) => {
      const { external_account_number: number, control } = JSON.parse(line) as {
        external_account_number: string;
        control: Record<string, number> & { transactions: { count: number; amount: number } };
      };
      const { notes, transactions, historical_statements: statements, payment_instructions } = control;
      const transactions_amount = transactions.amount.toFixed(2);
      return [
        number,
        { notes, transactions: transactions.count, transactions_amount, statements, payment_instructions },
      ];
    });
    expect(Object.fromEntries(controls)).toEqual(expected.accounts);
  });

  it('expects exactly the good rows of each account, and their sum (L12)', async () => {
    const { folder, expected } = await sampled({ bad: 40 });
    const isBad = new Set(expected.bad.map(({ file, line }) => `${file}:${line}`));
    const counted: Expected['accounts'] = {};
    const cents = new Map<string, number>();
    for (const line of linesOf(folder, 'accounts.ndjson')) {
      const { external_account_number: number } = JSON.parse(line) as { external_account_number: string };
      counted[number] = {
        notes: 0,
        transactions: 0,
        transactions_amount: '',
        statements: 0,
        payment_instructions: 0,
      };
    }
    for (const kind of KINDS) {
      const { rows } = await rowsOf(folder, kind);
      for (const row of rows) {
        if (isBad.has(`${row.origin.file}:${row.origin.line}`)) continue;
        const { account = '' } = row;
        const of = counted[account];
        if (row.error || !of) throw new Error(`${row.raw.toString()} is not expected`);
        of[kind === 'payment-instructions' ? 'payment_instructions' : kind] += 1;
        const { amount = 0 } = JSON.parse(row.item) as { amount?: number };
        if (kind === 'transactions') cents.set(account, (cents.get(account) ?? 0) + Math.round(amount * 100));
      }
    }
    for (const [number, of] of Object.entries(counted))
      of.transactions_amount = ((cents.get(number) ?? 0) / 100).toFixed(2);
    expect(counted).toEqual(expected.accounts);
    expect(Object.keys(counted)).toHaveLength(30);
  });

  it('has the requested number of bad rows, with every kind of fault, and says where they are (L12)', async () => {
    const { folder, expected } = await sampled({ bad: 50 });
    expect(expected.bad).toHaveLength(50);
    const codes = new Set(expected.bad.map(({ code }) => code));
    expect(codes).toEqual(new Set(badCodes(false)));
    expect(codes.size).toBeGreaterThanOrEqual(10);
    for (const { file, line, code } of expected.bad) {
      const text = linesOf(folder, file)[line - 1] ?? '';
      expect(text).toMatch(code === 'account_not_found' ? /NOT-STAGED-/ : /./);
      const isJson = ((): boolean => {
        try {
          return typeof JSON.parse(text) === 'object';
        } catch {
          return false;
        }
      })();
      expect(isJson).toBe(code !== 'parse_error');
    }
  });

  it('writes the documents that rows name, except those whose absence makes a row fail', async () => {
    const documents = folderWith({});
    const { folder, expected } = await sampled({ bad: 40, documents });
    const missing = expected.bad.filter(({ code }) => code === 'path_does_not_exist_in_file_store');
    expect(missing.length).toBeGreaterThan(0);
    const isBad = new Set(expected.bad.map(({ file, line }) => `${file}:${line}`));
    for (const [at, line] of linesOf(folder, 'statements.ndjson').entries()) {
      const { statement_path: path = '' } = JSON.parse(line) as { statement_path?: string };
      if (path === '' || path.startsWith('..')) continue;
      expect(existsSync(join(documents, path))).toBe(!isBad.has(`statements.ndjson:${at + 1}`));
    }
    const [first] = linesOf(folder, 'statements.ndjson');
    const { statement_path: path } = JSON.parse(first ?? '') as { statement_path: string };
    const pdf = readFileSync(join(documents, path), 'latin1');
    expect(pdf).toMatch(/^%PDF-1\.4\n/);
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1]);
    expect(pdf.slice(table)).toMatch(/^xref\n0 6\n/);
    const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset) => pdf.slice(offset, offset + 7))).toEqual(
      [1, 2, 3, 4, 5].map((id) => `${id} 0 obj`),
    );
  });

  it('names no document unless it writes them', async () => {
    const { folder } = await sampled({});
    expect(readFileSync(join(folder, 'statements.ndjson'), 'utf8')).not.toContain('statement_path');
    expect(readFileSync(join(folder, 'notes.ndjson'), 'utf8')).not.toContain('document_path');
  });

  it('is the same for the same seed, and differs for another seed (L12)', async () => {
    const text = async (seed: number): Promise<string> => {
      const { folder } = await sampled({ seed, bad: 5 });
      return [...KINDS.map((kind) => `${kind}.ndjson`), 'expected.json', 'accounts.ndjson']
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('');
    };
    const first = await text(1);
    expect(await text(1)).toBe(first);
    expect(await text(2)).not.toBe(first);
  });

  it('has the rows of an account together, or mixed with other accounts', async () => {
    const { folder: grouped } = await sampled({});
    expect((await rowsOf(grouped, 'transactions')).isGrouped).toBe(true);
    const { folder: mixed, expected } = await sampled({ order: 'mixed', bad: 10 });
    expect((await rowsOf(mixed, 'transactions')).isGrouped).toBe(false);
    const broken = expected.bad.find(({ code }) => code === 'parse_error');
    expect(
      () => JSON.parse(linesOf(mixed, 'transactions.ndjson')[(broken?.line ?? 0) - 1] ?? '') as unknown,
    ).toThrow(SyntaxError);
  });

  it('has every date inside the statement period of its account', async () => {
    const { folder } = await sampled({ accounts: 200 });
    const days = linesOf(folder, 'transactions.ndjson').map(
      (line) => (JSON.parse(line) as { transaction_date: string }).transaction_date,
    );
    expect(days.toSorted()[0]! >= PERIOD.from).toBe(true);
    expect(days.toSorted().at(-1)! <= PERIOD.to).toBe(true);
    expect(linesOf(folder, 'accounts.ndjson')[0]).toContain(
      `"open_statement_from":"${PERIOD.from}","open_statement_to":"${PERIOD.to}"`,
    );
  });

  it('overwrites nothing', async () => {
    const folder = folderWith({ 'notes.ndjson': 'mine' });
    await expect(writeSample(folder, OPTIONS)).rejects.toThrow(
      'notes.ndjson cannot be written: file already exists',
    );
    expect(readFileSync(join(folder, 'notes.ndjson'), 'utf8')).toBe('mine');
  });
});
