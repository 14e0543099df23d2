import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { fieldsOf } from './every-field.js';

/** An item as sent, and the content row that it must become. */
export interface SentItem {
  readonly sent: object;
  /** The item's content (choice V3), with members in any order. */
  readonly row: object;
}

/** The items that a test sends to one account. */
export interface SentAccount {
  readonly notes: readonly SentItem[];
  readonly transactions: readonly SentItem[];
  readonly historical_statements: readonly SentItem[];
  readonly payment_instructions: readonly SentItem[];
}

/** The canonical JSON of any value (RFC 8785), independent of the service's code. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The digest of a section with these rows (choice V4). */
export function sectionDigest(rows: readonly object[]): string {
  const digests = rows.map((row) => sha256(canonical(row))).sort();
  return sha256(digests.map((digest) => `${digest}\n`).join(''));
}

const text = (maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc.string({ unit: 'binary', minLength, maxLength }).map((value) => value.replaceAll('\0', '\x01'));

/** Up to 15 significant digits and 10 decimals. */
const decimal = fc
  .tuple(
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
    fc.integer({ min: -10, max: 6 }),
  )
  .map(([digits, exponent]) => Number(`${digits}e${exponent}`));

const amount = fc
  .integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 })
  .map((hundredths) => Number(`${hundredths}e-2`));

const day = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

/** A date-time in one of its spellings, and its value in whole seconds, as in the content. */
interface SentTime {
  readonly sent: string;
  readonly seconds: number;
}

const time: fc.Arbitrary<SentTime> = fc
  .tuple(
    fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }),
    fc.constantFrom('', '.5', '.999999999'),
    fc.constantFrom(0, 60, -330),
  )
  .map(([seconds, fraction, offsetMinutes]) => {
    const local = new Date((seconds + offsetMinutes * 60) * 1_000).toISOString().slice(0, 19);
    const [sign, minutes] = [offsetMinutes < 0 ? '-' : '+', Math.abs(offsetMinutes)];
    const two = (value: number): string => String(value).padStart(2, '0');
    const zone = offsetMinutes === 0 ? 'Z' : `${sign}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
    return { sent: local + fraction + zone, seconds };
  });

const contentTime = (seconds: number): string => `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const note = fc
  .record(
    fieldsOf('notes', {
      body: optional(text(40)),
      document_paths: fc.array(fc.constantFrom('a b', 'é/ü', 'x/y.pdf'), { maxLength: 3 }),
      hasPaths: fc.boolean(),
      created_at: optional(time),
      is_pinned: optional(fc.boolean()),
      unpin_at: optional(time),
    }),
  )
  .map((made) => (index: number): SentItem => {
    const { body, hasPaths, document_paths, created_at: createdAt, unpin_at: unpinAt, ...others } = made;
    // Each note is another one.
    const paths = document_paths.map((path) => ({ document_path: `${index}/${path}` }));
    const ownBody =
      body === undefined || body === '' ? (paths.length > 0 ? body : `${index}`) : `${index} ${body}`;
    const documents = paths.length > 0 || hasPaths ? paths : undefined;
    // A pin must not end before the note's time.
    const ends = unpinAt && {
      ...unpinAt,
      seconds: Math.max(unpinAt.seconds, createdAt?.seconds ?? -Infinity),
    };
    const unpin = ends && (ends.seconds === unpinAt.seconds ? ends.sent : contentTime(ends.seconds));
    return {
      sent: {
        ...others,
        body: ownBody,
        document_paths: documents,
        created_at: createdAt?.sent,
        unpin_at: unpin,
      },
      row: {
        ...others,
        body: ownBody === '' ? undefined : ownBody,
        document_paths: paths.length > 0 ? paths : undefined,
        created_at: createdAt && contentTime(createdAt.seconds),
        is_pinned: others.is_pinned === true ? true : undefined,
        unpin_at: ends && contentTime(ends.seconds),
      },
    };
  });

const lineItem = fc.tuple(day, day).chain(([one, other]) =>
  fc.record(
    {
      rate_band: text(10, 1),
      start_date: fc.constant(one < other ? one : other),
      end_date: fc.constant(one < other ? other : one),
      number_of_units: decimal,
      net_amount: decimal,
      price_per_unit: decimal,
      units: fc.array(decimal, { maxLength: 4 }),
    },
    { requiredKeys: ['start_date', 'end_date', 'number_of_units', 'net_amount'] },
  ),
);

const taxItem = fc.record({
  amount: decimal,
  tax_type: text(10, 1),
  value_taxed: decimal,
  rate: decimal,
  unit_type: fc.constantFrom('PROPORTION', 'CURRENCY_PER_KWH'),
});

const transaction = fc
  .record(
    fieldsOf('transactions', {
      // Its number makes it another one.
      transaction_id: fc.constant(undefined),
      // Before, in and after the open statement period.
      transaction_date: fc.oneof(fc.constantFrom('2026-01-01', '2026-02-03', '2026-03-31'), day),
      amount,
      type: fc.constantFrom('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'),
      reason: fc.constantFrom('IMPORTED_CHARGE', 'ACCOUNT_CHARGE_PAYMENT'),
      reference: text(20, 1),
      payment_type: fc.constantFrom('DIRECT_CREDIT', 'DD_REGULAR_COLLECTION'),
      display_note: text(30),
      note: text(30),
      product_code: text(10, 1),
      line_items: fc.array(lineItem, { minLength: 1, maxLength: 3 }),
      tax_items: fc.array(taxItem, { maxLength: 2 }),
    }),
    { requiredKeys: ['transaction_date', 'amount', 'type', 'product_code', 'line_items'] },
  )
  .map((fields) => (index: number): SentItem => {
    const row = { ...fields, transaction_id: `t ${index} "é"` };
    return { sent: row, row };
  });

const statement = fc.tuple(day, day).chain(([one, other]) =>
  fc
    .record(
      fieldsOf('statements', {
        statement_id: fc.constant(undefined),
        bill_period_from_date: fc.constant(one < other ? one : other),
        bill_period_to_date: fc.constant(one < other ? other : one),
        issued_date: day,
        number: text(10, 1),
        gross_amount: decimal,
        statement_path: fc.constantFrom('bills/2023 é.pdf', 'a"b'),
      }),
      { requiredKeys: ['bill_period_from_date', 'bill_period_to_date'] },
    )
    .map((fields) => (index: number): SentItem => {
      const row = { ...fields, statement_id: `s${index}` };
      return { sent: row, row };
    }),
);

const instruction = fc
  .tuple(text(10), fc.constantFrom('CARD', 'DIRECT_DEBIT'))
  .map(([name, type]) => (index: number): SentItem => {
    const row = { vendor: 'SANDBOX', reference: `ok_${index}_${name}`, type };
    return { sent: row, row };
  });

const listOf = (
  item: fc.Arbitrary<(index: number) => SentItem>,
  maxLength: number,
): fc.Arbitrary<readonly SentItem[]> =>
  fc.array(item, { maxLength }).map((items) => items.map((made, index) => made(index)));

/** Valid items of all four kinds for one account. */
export const SENT_ACCOUNT: fc.Arbitrary<SentAccount> = fc.record({
  notes: listOf(note, 4),
  transactions: listOf(transaction, 5),
  historical_statements: listOf(statement, 3),
  payment_instructions: listOf(instruction, 2),
});
