import type { Kind } from '../kinds/kinds.js';
import { Random } from './random.js';

/** The account numbers begin here. */
const FIRST_NUMBER = 10_000_001;

/** Every date of the sample is inside this statement period, so that no transaction is moved. */
export const PERIOD = { from: '2025-01-01', to: '2026-06-30' } as const;

const FIRST_NAMES = [
  'Amina',
  'Bruno',
  'Chiara',
  'David',
  'Elif',
  'Fiona',
  'Goran',
  'Hanna',
  'Ivan',
  'Jana',
  'Khalid',
  'Lena',
] as const;
const LAST_NAMES = [
  'Schmidt',
  'Okafor',
  'Rossi',
  'García',
  'Nowak',
  'Jensen',
  'Müller',
  'Tanaka',
  'Dubois',
  'Novák',
  'Silva',
  'Byrne',
] as const;
const STREETS = [
  'Mill Lane',
  'Station Road',
  'Hillside',
  'Church Street',
  'Harbour View',
  'Elm Avenue',
  'Canal Walk',
] as const;
const TOWNS = ['Ashford', 'Brookfield', 'Castleton', 'Dunmore', 'Eastbridge', 'Fairhaven'] as const;
const CALLS = [
  'The customer asked why the estimate was higher than the meter.',
  'A new direct debit was agreed by telephone.',
  'The customer reported that they move at the end of the month.',
  'The meter cabinet has a new lock; the key is with the caretaker.',
] as const;

const BILLS = 10;
const STATEMENTS = 2;

/** A row of the sample: the fields without the account, each as JSON text. */
export type SampleFields = readonly (readonly [string, string])[];

/** What belongs to one account. */
export interface SampleAccount {
  readonly number: string;
  /** A line for staging the account. */
  readonly staged: string;
  readonly rows: Readonly<Record<Kind, readonly SampleFields[]>>;
  /** Sum of the amounts of its transactions, in cents. */
  readonly cents: number;
  /** Paths of the documents that its rows name. */
  readonly documents: readonly string[];
}

export function accountNumber(index: number): string {
  return String(FIRST_NUMBER + index);
}

/**
 * @param index of the account, from 0
 * @param hasDocuments whether statements and some notes name documents
 * @returns the same for the same arguments
 */
export function sampleAccount(seed: number, index: number, hasDocuments: boolean): SampleAccount {
  const random = new Random(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const number = accountNumber(index);
  const documents: string[] = [];
  const { rows: transactions, cents } = transactionRows(random, number);
  const account = accountObject(random);
  const rows = {
    notes: noteRows(random, number, hasDocuments ? documents : undefined),
    statements: statementRows(random, number, hasDocuments ? documents : undefined),
    'payment-instructions': instructionRows(random, number),
    transactions,
  };
  return { number, staged: stagedLine(number, account, rows, cents), rows, cents, documents };
}

/** Cents as a JSON number with two decimals. */
export function amountText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function text(value: string): string {
  return JSON.stringify(value);
}

/** @param month from January 2025, from 0 */
function day(month: number, dayOfMonth: number): string {
  const year = 2025 + Math.floor(month / 12);
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
}

function accountObject(random: Random): object {
  return {
    name: `${random.of(FIRST_NAMES)} ${random.of(LAST_NAMES)}`,
    address: `${random.integer(1, 180)} ${random.of(STREETS)}, ${random.of(TOWNS)}`,
  };
}

/** The record of an account to stage, with its control totals. The amount is written as text, which has its two decimals. */
function stagedLine(number: string, account: object, rows: SampleAccount['rows'], cents: number): string {
  const record = {
    external_account_number: number,
    open_statement_from: PERIOD.from,
    open_statement_to: PERIOD.to,
    account,
  };
  const control = [
    `"notes":${rows.notes.length}`,
    `"transactions":{"count":${rows.transactions.length},"amount":${amountText(cents)}}`,
    `"historical_statements":${rows.statements.length}`,
    `"payment_instructions":${rows['payment-instructions'].length}`,
  ];
  return `${JSON.stringify(record).slice(0, -1)},"control":{${control.join(',')}}}`;
}

function noteRows(random: Random, number: string, documents: string[] | undefined): SampleFields[] {
  const time = (): string =>
    `${String(random.integer(8, 17)).padStart(2, '0')}:${String(random.integer(10, 59))}:00Z`;
  const reading = random.integer(2_000, 90_000);
  const rows: [string, string][][] = [
    [
      ['body', text(`Meter reading ${reading} kWh, read by the customer.`)],
      ['created_at', text(`${day(random.integer(0, 5), random.integer(1, 28))}T${time()}`)],
    ],
    [
      ['body', text(random.of(CALLS))],
      ['created_at', text(`${day(random.integer(6, 17), random.integer(1, 28))}T${time()}`)],
    ],
  ];
  if (random.integer(0, 9) === 0) rows[1]?.push(['is_pinned', 'true']);
  if (documents && random.integer(0, 3) === 0) {
    const path = `letters/${number}.pdf`;
    documents.push(path);
    rows[1]?.push(['document_paths', `[{"document_path":${text(path)}}]`]);
  }
  return rows;
}

function statementRows(random: Random, number: string, documents: string[] | undefined): SampleFields[] {
  return Array.from({ length: STATEMENTS }, (_, index) => {
    const month = index * 3;
    const fields: [string, string][] = [
      ['statement_id', text(`S-${number}-${index + 1}`)],
      ['bill_period_from_date', text(day(month, 1))],
      ['bill_period_to_date', text(day(month + 2, 28))],
      ['issued_date', text(day(month + 3, random.integer(1, 9)))],
      ['number', text(`2025-${random.integer(100_000, 999_999)}`)],
      ['gross_amount', amountText(random.integer(4_000, 60_000))],
    ];
    if (documents) {
      const path = `statements/2025-Q${index + 1}/${number}.pdf`;
      documents.push(path);
      fields.push(['statement_path', text(path)]);
    }
    return fields;
  });
}

function instructionRows(random: Random, number: string): SampleFields[] {
  const type = random.of(['DIRECT_DEBIT', 'CARD', 'BPAY']);
  return [
    [
      ['vendor', text('SANDBOX')],
      ['reference', text(`ok_${number}`)],
      ['type', text(type)],
    ],
  ];
}

/** A supply charge and its payment for each month. */
function transactionRows(random: Random, number: string): { rows: SampleFields[]; cents: number } {
  const rows: SampleFields[] = [];
  let cents = 0;
  for (let bill = 0; bill < BILLS; bill += 1) {
    const charge = supplyCharge(random, number, bill);
    const paid = random.integer(0, 4) === 0 ? 5_000 : charge.cents;
    rows.push(charge.fields, [
      ['transaction_id', text(`T-${number}-${bill + 1}-P`)],
      ['transaction_date', text(day(bill + 1, random.integer(1, 28)))],
      ['amount', amountText(paid)],
      ['type', text('PAYMENT')],
      ['payment_type', text(random.of(['DD_REGULAR_COLLECTION', 'DEBIT_CARD', 'BACS']))],
      ['reference', text(`P${random.integer(10_000_000, 99_999_999)}`)],
    ]);
    cents += charge.cents + paid;
  }
  return { rows, cents };
}

function supplyCharge(random: Random, number: string, bill: number): { fields: SampleFields; cents: number } {
  const [units, price] = [random.integer(400, 9_000), random.integer(1_800, 3_900)];
  const energy = Math.round((units * price) / 1_000);
  const standing = random.integer(900, 1_600);
  const tax = Math.round((energy + standing) / 20);
  const cents = energy + standing + tax;
  const period = `"start_date":${text(day(bill, 1))},"end_date":${text(day(bill, 28))}`;
  const lines = [
    `{${period},"rate_band":"CONSUMPTION_STANDARD","number_of_units":${units / 10},"price_per_unit":${price / 10_000},"net_amount":${amountText(energy)}}`,
    `{${period},"rate_band":"STANDING_CHARGE","number_of_units":28,"net_amount":${amountText(standing)}}`,
  ];
  const taxes = `{"tax_type":"VAT","amount":${amountText(tax)},"value_taxed":${amountText(energy + standing)},"rate":0.05,"unit_type":"PROPORTION"}`;
  const fields: SampleFields = [
    ['transaction_id', text(`T-${number}-${bill + 1}-C`)],
    ['transaction_date', text(day(bill, 28))],
    ['amount', amountText(cents)],
    ['type', text('SUPPLY_CHARGE')],
    ['product_code', text(random.of(['ELECTRICITY_STANDARD', 'ELECTRICITY_GREEN']))],
    ['line_items', `[${lines.join(',')}]`],
    ['tax_items', `[${taxes}]`],
  ];
  return { fields, cents };
}
