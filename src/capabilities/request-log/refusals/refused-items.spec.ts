import {
  ERRORS_MAX,
  fieldError,
  type FieldError,
  type FieldErrorCode,
} from '../../../infrastructure/errors/errors.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import type { RefusedItems } from '../requests/refused-items.types.js';
import { refusedItems } from './refused-items.js';

function itemsOf(
  errors: readonly FieldError[],
  body: object,
  kind: ImportKind = 'transactions',
): Required<RefusedItems> {
  const json = refusedItems(kind, errors, body) ?? '{}';
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4_096);
  return { at_fault: [], others: [], ...(JSON.parse(json) as RefusedItems) };
}

/** What is kept of a single value of a transaction. */
function kept(name: string, value: unknown, code: FieldErrorCode = 'invalid'): object {
  const body = { transactions: [{ [name]: value }] };
  const [item] = itemsOf([fieldError(code, `transactions.0.${name}`)], body).at_fault;
  const { value: text, form, length, ...field } = item!.errors[0]!;
  expect(field).toEqual({ attr: name, code });
  return JSON.parse(JSON.stringify({ value: text, form, length })) as object;
}

describe('what is kept of the items of a refused request (C9)', () => {
  it('are all items when no field is at fault, for example without such an account, and never notes then', () => {
    const body = { statements: [{ statement_id: 'S-0' }, { statement_id: 7 }, { statement_id: 'S-2' }] };
    expect(itemsOf([], body, 'statements')).toEqual({ at_fault: [], others: ['S-0', 'S-2'] });
    expect(refusedItems('notes', [], { notes: [{ body: 'Ann' }] })).toBeUndefined();
    expect(refusedItems('payment_instruction', [], { vendor: 'SANDBOX', reference: 'Ann' })).toBeUndefined();
  });

  it.each([
    ['2026-13-45', 'transaction_date'],
    ['31/Feb/2026', 'transaction_date'],
    ['2026-01-02T10:00:00+01:00Z', 'created_at'],
    ['1.234,56', 'amount'],
    [12.345, 'amount'],
    [-7, 'rate'],
    ['0'.repeat(11), 'transaction_id'],
    ['1-'.repeat(20), 'number'],
  ])('have the value %j of %s, which can only be a day, a number or an id', (value, name) => {
    expect(kept(name, value)).toEqual({ value: String(value) });
  });

  it.each([
    ['a card number', '4111111111111111', 'transaction_id', { form: 'text', length: 16 }],
    ['12 digits', '1.123456789012', 'amount', { form: 'text', length: 14 }],
    ['41 characters', '1-'.repeat(20) + '1', 'number', { form: 'text', length: 41 }],
    ['a name', 'Ann', 'transaction_date', { form: 'text', length: 3 }],
    ['a day with a name', '2026-01-02 Ann', 'transaction_date', { form: 'text', length: 14 }],
    ['a number with an exponent', 1e21, 'amount', { form: 'number' }],
    ['a number that is not kept exactly', Infinity, 'amount', { form: 'number' }],
    ['digits of a free text', '0770090', 'note', { form: 'text', length: 7 }],
    ['digits of a reference', '0770090', 'reference', { form: 'text', length: 7 }],
    ['a list', ['Ann'], 'amount', { form: 'list', length: 1 }],
    ['an object', { name: 'Ann' }, 'amount', { form: 'object' }],
    ['null', null, 'amount', { form: 'null' }],
    ['a boolean', true, 'amount', { form: 'boolean' }],
  ])('have only form and length of %s', (_what, value, name, expected) => {
    expect(kept(name, value)).toEqual(expected);
  });

  it('have only form and length of a field whose name the client invented', () => {
    expect(kept('amount', '12', 'unexpected_field')).toEqual({ form: 'text', length: 2 });
    expect(kept('type', 'Ann', 'unexpected_field')).toEqual({ form: 'text', length: 3 });
  });

  it('have at most 128 characters of a value of a closed set', () => {
    expect(kept('type', 'x'.repeat(129), 'invalid_choice')).toEqual({ value: 'x'.repeat(128) });
    expect(kept('type', 'a\0b', 'invalid_choice')).toEqual({ value: 'a\uFFFDb' });
  });

  it.each([[''], ['x'.repeat(129)], ['a\0b'], ['a\ud800'], [7], [null], [undefined]])(
    'have no id when %j was sent, which cannot be stored as an id',
    (id) => {
      const [item] = itemsOf([fieldError('invalid', 'transactions.0.type')], {
        transactions: [{ transaction_id: id, type: 1 }],
      }).at_fault;
      expect(item).not.toHaveProperty('id');
    },
  );

  it('are at most 20, with 20 errors each', () => {
    const transactions = Array.from({ length: 30 }, (_, n) => ({ transaction_id: `T-${n}` }));
    expect(itemsOf([], { transactions }).others).toHaveLength(20);
    const errors = Array.from({ length: 25 }, (_, n) => fieldError('null', `transactions.${n}.a`));
    expect(itemsOf(errors, { transactions }).at_fault.map(({ id }) => id)).toEqual(
      transactions.slice(0, 20).map(({ transaction_id }) => transaction_id),
    );
    const ofOne = Array.from({ length: ERRORS_MAX }, () => fieldError('null', 'transactions.3.a'));
    expect(itemsOf(ofOne, { transactions }).at_fault[0]?.errors).toHaveLength(20);
    expect(itemsOf(ofOne, { transactions }).others).toHaveLength(19);
  });

  it('are as many as fit in 4 kB, with as many errors of the last one as fit', () => {
    const long = Array.from({ length: 20 }, (_, n) => ({
      transaction_id: `${'ä'.repeat(126)}${n}`,
      type: '€'.repeat(128),
    }));
    const errors = long.flatMap((_, n) => [
      fieldError('invalid_choice', `transactions.${n}.type`),
      fieldError('required', `transactions.${n}.amount`),
    ]);
    const { at_fault: items } = itemsOf(errors, { transactions: long });
    expect(items.length).toBeGreaterThan(3);
    expect(items.length).toBeLessThan(10);
    const others = itemsOf([], { transactions: long }).others.length;
    expect(others).toBeGreaterThan(10);
    expect(others).toBeLessThan(20);
    const hostile = 'x'.repeat(1_000_000);
    const cut = { attr: 'x'.repeat(128), code: 'unexpected_field', form: 'text', length: 1_000_000 };
    const { at_fault: kept } = itemsOf([fieldError('unexpected_field', hostile)], { [hostile]: hostile });
    expect(kept).toEqual([{ at: '', errors: [cut] }]);
  });

  it.each([
    ['constructor.name', {}],
    ['transactions.__proto__.type', { transactions: [] }],
    ['transactions.5.type', { transactions: [] }],
    ['transactions.0.type', { transactions: 'Ann' }],
    ['transactions', { transactions: 'Ann' }],
    ['', {}],
  ])('have no value at %s, where none was sent', (attr, body) => {
    const json = refusedItems('transactions', [fieldError('invalid', attr)], body);
    expect(json).not.toContain('Ann');
    expect(json).not.toContain('"value"');
  });
});
