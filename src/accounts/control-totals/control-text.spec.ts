import { readRow } from '../../../test/support/account-rows.js';
import { readJsonLine } from '../files/account-file.js';
import { STAGED_LINES } from '../staging/staged-record.js';
import type { Reading } from '../files/line-reading.js';
import { CONTROL_LINES } from './control-line.js';

const NOTHING = {
  notes: null,
  transactions: null,
  amount: null,
  statements: null,
  payment_instructions: null,
};

const controlOf = (reading: Reading | undefined): unknown =>
  reading && 'record' in reading ? reading.record.control : reading;
const problemOf = (reading: Reading | undefined): [code: string, detail: string] =>
  reading && 'problem' in reading ? [reading.problem.code, reading.problem.detail] : ['none', ''];
const line = (control: string): string => `{"external_account_number":"A","control":${control}}`;

describe('the control totals of a staged record', () => {
  it.each([
    ['{}', undefined],
    ['{"transactions":{}}', undefined],
    ['{"notes":0}', { ...NOTHING, notes: 0 }],
    ['{"transactions":{"count":2}}', { ...NOTHING, transactions: 2 }],
    ['{"transactions":{"amount":-0.10}}', { ...NOTHING, amount: '-0.10' }],
    [
      '{"transactions": {"amount" : 12345678901234567.89, "count":1e3} , "notes":7,"historical_statements":8,"payment_instructions":9}',
      {
        notes: 7,
        transactions: 1000,
        amount: '12345678901234567.89',
        statements: 8,
        payment_instructions: 9,
      },
    ],
    ['{"transactions":{"amount":1,"amount":2.5}}', { ...NOTHING, amount: '2.50' }],
    ['{"notes":999999999999999}', { ...NOTHING, notes: 999_999_999_999_999 }],
  ])('are read from %s (V6)', (control, expected) => {
    expect(controlOf(readJsonLine(line(control), STAGED_LINES))).toEqual(expected);
    expect(controlOf(readJsonLine(line(control), CONTROL_LINES))).toEqual(expected);
  });

  it.each([
    ['[]', 'invalid', 'control:'],
    ['7', 'invalid', 'control:'],
    ['{"extra":1}', 'unexpected_field', 'control.extra:'],
    ['{"__proto__":1}', 'unexpected_field', 'control.__proto__:'],
    ['{"statements":1}', 'unexpected_field', 'control.statements:'],
    ['{"notes":-1}', 'min_value', 'control.notes:'],
    ['{"notes":1.5}', 'invalid', 'control.notes:'],
    ['{"notes":"1"}', 'invalid', 'control.notes:'],
    ['{"notes":null}', 'null', 'control.notes:'],
    ['{"notes":1.0000000000000000001}', 'max_digits', 'control.notes:'],
    ['{"notes":9007199254740993}', 'max_digits', 'control.notes:'],
    ['{"notes":1e15}', 'max_value', 'control.notes:'],
    ['{"transactions":[]}', 'invalid', 'control.transactions:'],
    ['{"transactions":null}', 'null', 'control.transactions:'],
    ['{"transactions":{"sum":1}}', 'unexpected_field', 'control.transactions.sum:'],
    ['{"transactions":{"count":-1}}', 'min_value', 'control.transactions.count:'],
    ['{"transactions":{"amount":"1.00"}}', 'invalid', 'control.transactions.amount:'],
    ['{"transactions":{"amount":1.005}}', 'max_decimal_places', 'control.transactions.amount:'],
    ['{"transactions":{"amount":1e24}}', 'max_digits', 'control.transactions.amount:'],
    [
      '{"transactions":{"amount":0.100000000000000001}}',
      'max_decimal_places',
      'control.transactions.amount:',
    ],
  ])('are rejected in %s, with the place of the error (V6)', (control, code, place) => {
    for (const reading of [
      readJsonLine(line(control), STAGED_LINES),
      readJsonLine(line(control), CONTROL_LINES),
    ]) {
      const [found, detail] = problemOf(reading);
      expect([found, detail]).toEqual([code, expect.stringContaining(place)]);
    }
  });

  it('are reported together with the other errors of the line (V6)', () => {
    const [code, detail] = problemOf(
      readJsonLine('{"control":{"notes":-1},"open_statement_from":"x"}', STAGED_LINES),
    );
    expect(code).toBe('required');
    expect(detail).toMatch(/external_account_number.*open_statement_from.*control\.notes/);
  });

  it('may not be null when an account is staged, but null removes them later (T9, V6)', () => {
    expect(problemOf(readJsonLine(line('null'), STAGED_LINES))[0]).toBe('null');
    expect(readJsonLine(line('null'), CONTROL_LINES)).toMatchObject({
      record: { externalAccountNumber: 'A' },
    });
    expect(controlOf(readJsonLine(line('null'), CONTROL_LINES))).toBeUndefined();
    expect(problemOf(readJsonLine('{"external_account_number":"A"}', CONTROL_LINES))[0]).toBe('required');
  });
});

describe('the columns of control totals', () => {
  const columns = [
    'external_account_number',
    'control.notes',
    'control.transactions.count',
    'control.transactions.amount',
    'name',
  ];

  it('are read like JSON, and an empty cell expects nothing (V6)', async () => {
    const reading = await readRow(columns, ['A', '', '3', '12345678901234567.89', 'Ann'], STAGED_LINES);
    expect(reading).toMatchObject({ record: { account: '{"name":"Ann"}' } });
    expect(controlOf(reading)).toEqual({ ...NOTHING, transactions: 3, amount: '12345678901234567.89' });
    expect(controlOf(await readRow(columns, ['A', '', '', '', 'Ann'], STAGED_LINES))).toBeUndefined();
    const withAccount = ['external_account_number', 'account', 'control.payment_instructions'];
    const whole = await readRow(withAccount, ['A', '{"a":1.0}', '2'], STAGED_LINES);
    expect(whole).toMatchObject({ record: { account: '{"a":1.0}' } });
    expect(controlOf(whole)).toEqual({ ...NOTHING, payment_instructions: 2 });
  });

  it.each([
    ['1,5', 'invalid'],
    ['0x10', 'invalid'],
    ['}', 'invalid'],
    ['1.5', 'invalid'],
    ['-1', 'min_value'],
  ])('accept only numbers, not %j (V6)', async (cell, code) => {
    const [found, detail] = problemOf(await readRow(columns, ['A', cell, '', '', ''], STAGED_LINES));
    expect([found, detail]).toEqual([code, expect.stringContaining('control.notes:')]);
  });

  it.each(['control.note', 'control.', 'Control.notes', 'control.transactions', ' control.notes', 'control'])(
    'reject a file with a column %j (V6)',
    async (name) => {
      for (const lines of [STAGED_LINES, CONTROL_LINES]) {
        const reading = readRow(['external_account_number', name], ['A', '1'], lines);
        await expect(reading).rejects.toMatchObject({ code: 'invalid_header' });
      }
    },
  );

  it('are the only columns of a file of control totals besides the account number (V6)', async () => {
    const own = columns.slice(0, 4);
    await expect(readRow(columns, ['A', '1', '', '', ''], CONTROL_LINES)).rejects.toThrow('"name"');
    expect(controlOf(await readRow(own, ['A', '1', '', ''], CONTROL_LINES))).toEqual({
      ...NOTHING,
      notes: 1,
    });
    expect(controlOf(await readRow(own, ['A', '', '', ''], CONTROL_LINES))).toBeUndefined();
    expect(problemOf(await readRow(own, ['', '1', '', ''], CONTROL_LINES))[0]).toBe('required');
    expect(problemOf(await readRow(own, ['A', '1', ''], CONTROL_LINES))[0]).toBe('invalid');
  });
});
