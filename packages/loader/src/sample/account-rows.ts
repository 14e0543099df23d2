import type { Kind } from '../kinds/kinds.js';
import { Random } from './random.js';

/** The first account number. */
const FIRST_NUMBER = 10_000_001;

/** Every date of the sample is inside this statement period, so that no transaction is moved. */
export const PERIOD = { from: '2025-01-01', to: '2026-06-30' } as const;

const FIRST_NAMES = 'Amina Bruno Chiara David Elif Fiona Goran Hanna Ivan Jana Khalid Lena'.split(' ');
const LAST_NAMES = 'Schmidt Okafor Rossi García Nowak Jensen Müller Tanaka Dubois Novák Silva Byrne'.split(
  ' ',
);
const STREETS = 'Mill Lane,Station Road,Hillside,Church Street,Harbour View,Elm Avenue,Canal Walk'.split(',');
const TOWNS = 'Ashford Brookfield Castleton Dunmore Eastbridge Fairhaven'.split(' ');
const CALLS = [
  'The customer asked why the estimate was higher than the meter.',
  'A new direct debit was agreed by telephone.',
  'The customer reported that they move at the end of the month.',
  'The meter cabinet has a new lock; the key is with the caretaker.',
];

const BILLS = 10;
const STATEMENTS = 2;

/** The fields of a row, without the account. */
export type SampleFields = Readonly<Record<string, unknown>>;

/** An account with its rows. */
export interface SampleAccount {
  readonly number: string;
  /** The line that stages the account. */
  readonly staged: string;
  readonly rows: Readonly<Record<Kind, readonly SampleFields[]>>;
  /** The sum of the amounts of its transactions. */
  readonly cents: number;
  /** The paths of the documents that its rows name. */
  readonly documents: readonly string[];
}

export function accountNumber(index: number): string {
  return String(FIRST_NUMBER + index);
}

/**
 * @param index the index of the account, counted from 0
 * @param hasDocuments whether statements and some notes name documents
 * @returns the same account for the same arguments
 */
export function sampleAccount(seed: number, index: number, hasDocuments: boolean): SampleAccount {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const number = accountNumber(index);
  const documents: string[] = [];
  const account = {
    name: `${random.of(FIRST_NAMES)} ${random.of(LAST_NAMES)}`,
    address: `${random.integer(1, 180)} ${random.of(STREETS)}, ${random.of(TOWNS)}`,
  };
  const rows = {
    notes: noteRows(random, number, hasDocuments ? documents : undefined),
    statements: statementRows(random, number, hasDocuments ? documents : undefined),
    'payment-instructions': [
      { vendor: 'SANDBOX', reference: `ok_${number}`, type: random.of(['DIRECT_DEBIT', 'CARD', 'BPAY']) },
    ],
    transactions: transactionRows(random, number),
  };
  const cents = rows.transactions.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0);
  return { number, staged: stagedLine(number, account, rows, cents), rows, cents, documents };
}

/** @param month the number of months since January 2025 */
function day(month: number, dayOfMonth: number): string {
  const year = 2025 + Math.floor(month / 12);
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
}

/** The record of an account to stage, with its control totals. */
function stagedLine(number: string, account: object, rows: SampleAccount['rows'], cents: number): string {
  return JSON.stringify({
    external_account_number: number,
    open_statement_from: PERIOD.from,
    open_statement_to: PERIOD.to,
    account,
    control: {
      notes: rows.notes.length,
      transactions: { count: rows.transactions.length, amount: cents / 100 },
      historical_statements: rows.statements.length,
      payment_instructions: rows['payment-instructions'].length,
    },
  });
}

function noteRows(random: Random, number: string, documents: string[] | undefined): SampleFields[] {
  const time = (): string =>
    `${String(random.integer(8, 17)).padStart(2, '0')}:${String(random.integer(10, 59))}:00Z`;
  const reading = random.integer(2_000, 90_000);
  const first = {
    body: `Meter reading ${reading} kWh, read by the customer.`,
    created_at: `${day(random.integer(0, 5), random.integer(1, 28))}T${time()}`,
  };
  const second = {
    body: random.of(CALLS),
    created_at: `${day(random.integer(6, 17), random.integer(1, 28))}T${time()}`,
    ...(random.integer(0, 9) === 0 && { is_pinned: true }),
  };
  if (!documents || random.integer(0, 3) > 0) return [first, second];
  const path = `letters/${number}.pdf`;
  documents.push(path);
  return [first, { ...second, document_paths: [{ document_path: path }] }];
}

function statementRows(random: Random, number: string, documents: string[] | undefined): SampleFields[] {
  return Array.from({ length: STATEMENTS }, (_, index) => {
    const month = index * 3;
    const path = `statements/2025-Q${index + 1}/${number}.pdf`;
    documents?.push(path);
    return {
      statement_id: `S-${number}-${index + 1}`,
      bill_period_from_date: day(month, 1),
      bill_period_to_date: day(month + 2, 28),
      issued_date: day(month + 3, random.integer(1, 9)),
      number: `2025-${random.integer(100_000, 999_999)}`,
      gross_amount: random.integer(4_000, 60_000) / 100,
      ...(documents && { statement_path: path }),
    };
  });
}

/** A supply charge and its payment for each month. */
function transactionRows(random: Random, number: string): SampleFields[] {
  return Array.from({ length: BILLS }, (_, bill) => {
    const charge = supplyCharge(random, number, bill);
    const payment = {
      transaction_id: `T-${number}-${bill + 1}-P`,
      transaction_date: day(bill + 1, random.integer(1, 28)),
      amount: random.integer(0, 4) === 0 ? 50 : charge.amount,
      type: 'PAYMENT',
      payment_type: random.of(['DD_REGULAR_COLLECTION', 'DEBIT_CARD', 'BACS']),
      reference: `P${random.integer(10_000_000, 99_999_999)}`,
    };
    return [charge, payment];
  }).flat();
}

function supplyCharge(random: Random, number: string, bill: number): SampleFields {
  const [units, price] = [random.integer(400, 9_000), random.integer(1_800, 3_900)];
  const energy = Math.round((units * price) / 1_000);
  const standing = random.integer(900, 1_600);
  const tax = Math.round((energy + standing) / 20);
  const period = { start_date: day(bill, 1), end_date: day(bill, 28) };
  const used = { number_of_units: units / 10, price_per_unit: price / 10_000 };
  const value = { amount: tax / 100, value_taxed: (energy + standing) / 100 };
  return {
    transaction_id: `T-${number}-${bill + 1}-C`,
    transaction_date: day(bill, 28),
    amount: (energy + standing + tax) / 100,
    type: 'SUPPLY_CHARGE',
    product_code: random.of(['ELECTRICITY_STANDARD', 'ELECTRICITY_GREEN']),
    line_items: [
      { ...period, rate_band: 'CONSUMPTION_STANDARD', ...used, net_amount: energy / 100 },
      { ...period, rate_band: 'STANDING_CHARGE', number_of_units: 28, net_amount: standing / 100 },
    ],
    tax_items: [{ tax_type: 'VAT', ...value, rate: 0.05, unit_type: 'PROPORTION' }],
  };
}
