import type { Reading } from '../files/line-reading.js';
import { readRow } from '../../../test/support/account-rows.js';
import { readJsonLine } from '../files/account-file.js';
import { STAGED_LINES } from './staged-record.js';

const problemOf = (reading: Reading): [code: string, detail: string] =>
  'problem' in reading ? [reading.problem.code, reading.problem.detail] : ['none', ''];

const line = (fields: object): string => JSON.stringify({ external_account_number: 'A', ...fields });
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('readJsonLine', () => {
  it('keeps the text of the account unchanged (S7)', () => {
    const account = '{"balance":10.50, "id":12345678901234567890}';
    expect(readJsonLine(`{"account" : ${account} ,"external_account_number":"A"}`, STAGED_LINES)).toEqual({
      record: {
        externalAccountNumber: 'A',
        openStatementFrom: undefined,
        openStatementTo: undefined,
        account,
      },
    });
  });

  it.each([
    ['a period of one day', line({ open_statement_from: '2024-02-29', open_statement_to: '2024-02-29' })],
    ['an empty account', line({ account: {} })],
    [
      'a number of 128 characters beyond the basic plane',
      line({ external_account_number: '😀'.repeat(128) }),
    ],
    ['a pair of surrogates', String.raw`{"external_account_number":"A","account":{"a":"\ud83d\ude00"}}`],
    [
      'an escaped backslash before u0000',
      String.raw`{"external_account_number":"A","account":{"a":"\\u0000"}}`,
    ],
    ['64 levels', `{"external_account_number":"A","account":{"a":${nested(62)}}}`],
    ['brackets in a text', line({ account: { a: '['.repeat(100) } })],
    ['the widest number', `{"external_account_number":"A","account":{"a":1e131071,"b":1e-16383}}`],
  ])('accepts %s (S7)', (_name, text) => {
    expect(problemOf(readJsonLine(text, STAGED_LINES))).toEqual(['none', '']);
  });

  it.each([
    ['text', 'no json', 'parse_error', 'JSON'],
    ['a list', '[]', 'invalid', 'object'],
    ['null', 'null', 'null', ''],
    ['no number', '{}', 'required', 'external_account_number'],
    ['an empty number', line({ external_account_number: '' }), 'blank', 'external_account_number'],
    ['a number as JSON number', line({ external_account_number: 7 }), 'invalid', 'external_account_number'],
    [
      '129 characters',
      line({ external_account_number: 'x'.repeat(129) }),
      'max_length',
      'external_account_number',
    ],
    ['a NUL character', line({ external_account_number: 'a\0' }), 'invalid', ''],
    ['a day that is none', line({ open_statement_from: '2023-02-29' }), 'invalid', 'open_statement_from'],
    ['null for a day', line({ open_statement_to: null }), 'null', 'open_statement_to'],
    ['a list as account', line({ account: [] }), 'invalid', 'account'],
    ['a further key', line({ name: 'x' }), 'unexpected_field', 'name'],
    ['the key __proto__', '{"external_account_number":"A","__proto__":1}', 'unexpected_field', '__proto__'],
    [
      'a period that ends before it starts',
      line({ open_statement_from: '2024-01-02', open_statement_to: '2024-01-01' }),
      'start_date_later_than_end_date',
      'open_statement_from',
    ],
    ['NUL in the account', line({ account: { a: '\0' } }), 'invalid', 'NUL'],
    [
      'a lone surrogate',
      String.raw`{"external_account_number":"A","account":{"a":"\ud800x"}}`,
      'invalid',
      '',
    ],
    [
      'NUL in a repeated member',
      String.raw`{"external_account_number":"A","account":{"a":"\u0000","a":1}}`,
      'invalid',
      '',
    ],
    ['65 levels', `{"external_account_number":"A","account":{"a":${nested(63)}}}`, 'invalid', 'levels'],
    ['too wide a number', '{"external_account_number":"A","account":{"a":1e131072}}', 'max_digits', ''],
    ['too fine a number', '{"external_account_number":"A","account":{"a":1e-16384}}', 'max_digits', ''],
  ])('rejects %s (S7)', (_name, text, code, mentioned) => {
    const [found, detail] = problemOf(readJsonLine(text, STAGED_LINES));
    expect(found).toBe(code);
    expect(detail).toContain(mentioned);
  });

  it('reports every invalid field, with the code of the first (S7)', () => {
    const [code, detail] = problemOf(
      readJsonLine(line({ open_statement_from: 'x', extra: 1 }), STAGED_LINES),
    );
    expect(code).toBe('invalid');
    expect(detail).toMatch(/open_statement_from: .* extra: /);
  });
});

describe('a row of a table', () => {
  const columns = ['external_account_number', 'open_statement_to', 'name', '__proto__'];

  it('has further columns in the account, without empty cells (S7)', async () => {
    expect(await readRow(columns, ['A', '', 'Ann', 'x'], STAGED_LINES)).toMatchObject({
      record: { openStatementTo: undefined, account: '{"name":"Ann","__proto__":"x"}' },
    });
    expect(await readRow(columns, ['A', '2024-01-01', '', ''], STAGED_LINES)).toMatchObject({
      record: { openStatementTo: '2024-01-01', account: undefined },
    });
  });

  it('may have the account in its own column (S7)', async () => {
    const withAccount = ['external_account_number', 'account'];
    expect(await readRow(withAccount, ['A', '{"a":1.0}'], STAGED_LINES)).toMatchObject({
      record: { account: '{"a":1.0}' },
    });
    for (const cell of ['{"a"', '1}, {"a":2'])
      expect(problemOf((await readRow(withAccount, ['A', cell], STAGED_LINES))!)[0]).toBe('invalid');
  });

  it.each([
    ['too few cells', ['A', ''], 'invalid'],
    ['too many cells', ['A', '', '', '', ''], 'invalid'],
    ['no number', ['', '', '', ''], 'required'],
    ['a wrong day', ['A', 'x', '', ''], 'invalid'],
    ['a NUL character', ['A', '', '\0', ''], 'invalid'],
    ['more than 1 MiB', ['A', '', 'x'.repeat(1_048_576), ''], 'max_length'],
  ])('is rejected with %s (S7)', async (_name, cells, code) => {
    expect(problemOf((await readRow(columns, cells, STAGED_LINES))!)[0]).toBe(code);
  });

  it.each([
    ['no account number', ['name']],
    ['a column without a name', ['external_account_number', '']],
    ['a field in other letters', ['external_account_number', 'Open_Statement_From']],
    ['a field behind a blank', ['external_account_number', ' open_statement_to']],
    ['the number in other letters', ['External_Account_Number']],
    ['a column twice', ['external_account_number', 'a', 'a']],
    ['the account and its members', ['external_account_number', 'account', 'name']],
  ])('has no header with %s (S7)', async (_name, header) => {
    await expect(readRow(header, header, STAGED_LINES)).rejects.toMatchObject({ code: 'invalid_header' });
  });

  it('has a column with any other name as a member of the account (S7)', async () => {
    const header = ['external_account_number', 'Account', 'open statement from'];
    expect(await readRow(header, ['A', 'x', 'y'], STAGED_LINES)).toMatchObject({
      record: { account: '{"Account":"x","open statement from":"y"}' },
    });
  });
});
