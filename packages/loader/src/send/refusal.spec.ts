import type { Row } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';
import { readRefusal } from './refusal.js';

const row = (item: object): Row => ({
  account: '17',
  item: JSON.stringify(item),
  key: undefined,
  origin: { file: 'x.ndjson', line: 1 },
  raw: Buffer.from(''),
  start: 0,
  end: 1,
});

const rows = [row({ type: 'FEE' }), row({}), row({})];

const refuse = (
  kind: Kind,
  status: number,
  code: string,
  errors: readonly (readonly [string, string])[] = [],
): unknown =>
  readRefusal(kind, rows, {
    status,
    body: {
      code,
      detail: 'A sentence.',
      errors: errors.map(([of, attr]) => ({ code: of, attr, detail: 'Why.' })),
    },
  });

describe('a refusal', () => {
  it('is about rows when its errors name them, with paths within the row and the rejected values of closed lists', () => {
    const errors = [
      ['invalid_choice', 'transactions.0.type'],
      ['max_digits', 'transactions.2.line_items.0.net_amount'],
      ['required', 'transactions.2'],
      ['duplicate_transaction_ids', 'transactions.1.transaction_id'],
      ['too_many_errors', ''],
    ] as const;
    expect(refuse('transactions', 400, 'validation_error', errors)).toEqual({
      of: 'rows',
      failed: new Map([
        [0, [{ code: 'invalid_choice', attr: 'type', detail: 'Why.', value: 'FEE' }]],
        [
          2,
          [
            { code: 'max_digits', attr: 'line_items.0.net_amount', detail: 'Why.' },
            { code: 'required', attr: '', detail: 'Why.' },
          ],
        ],
      ]),
      repeated: new Set([1]),
    });
  });

  it('of a transaction outside its period is about the row', () => {
    const errors = [['outside_open_statement_period', 'transactions.1.transaction_date']] as const;
    expect(refuse('transactions', 400, 'transaction_import_error', errors)).toMatchObject({
      of: 'rows',
      failed: new Map([
        [1, [{ code: 'outside_open_statement_period', attr: 'transaction_date', detail: 'Why.' }]],
      ]),
    });
  });

  it('of a payment instruction is about its only row', () => {
    const errors = [['payment_instruction_not_found', 'reference']] as const;
    expect(refuse('payment-instructions', 400, 'validation_error', errors)).toMatchObject({
      of: 'rows',
      failed: new Map([[0, [{ code: 'payment_instruction_not_found', attr: 'reference', detail: 'Why.' }]]]),
    });
  });

  it.each([
    ['an unknown account', 404, 'account_not_found', []],
    [
      'an account number that is too long',
      400,
      'validation_error',
      [['max_length', 'external_account_number']],
    ],
  ] as const)('for %s is about the account', (_title, status, code, errors) => {
    expect(refuse('notes', status, code, errors)).toMatchObject({ of: 'account' });
  });

  it.each([
    ['too many items', 400, 'validation_error', [['max_length', 'notes']], 'items'],
    ['too many bytes', 413, 'payload_too_large', [], 'bytes'],
    ['bytes that a proxy refuses', 413, 'unexpected_answer', [], 'bytes'],
    ['a fault that it does not place', 400, 'parse_error', [], undefined],
    [
      'errors in rows that it does not have',
      400,
      'validation_error',
      [['required', 'notes.9.body']],
      undefined,
    ],
  ] as const)('for %s is about the size', (_title, status, code, errors, limits) => {
    expect(refuse('notes', status, code, errors)).toMatchObject({ of: 'size', limits });
  });

  it.each([
    [
      'a paused supplier',
      400,
      'validation_error',
      [['import_supplier_migration_not_ongoing', 'import_supplier']],
      false,
    ],
    ['a supplier that cannot be', 400, 'validation_error', [['max_length', 'import_supplier']], true],
    [
      'an option that it does not know',
      400,
      'validation_error',
      [['invalid', 'force_add_to_current_statement']],
      true,
    ],
    ['a token', 401, 'authentication_failed', [], true],
    ['an address', 404, 'not_found', [], true],
    ['an answer of something else', 400, 'unexpected_answer', [], true],
  ] as const)('for %s is about every request', (_title, status, code, errors, isUsage) => {
    expect(refuse('notes', status, code, errors)).toMatchObject({ of: 'all', isUsage });
  });

  it('without an error body is about every request', () => {
    expect(readRefusal('notes', rows, { status: 405, body: undefined })).toMatchObject({ of: 'all' });
  });
});
