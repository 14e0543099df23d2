/** The schemas of the bodies of the floor's requests, which Fastify compiles. */

const ITEMS_MAX = 5_000;

const identifier = { type: 'string', minLength: 1, maxLength: 128 };
const freeText = { type: 'string', maxLength: 5_000 };
const day = { type: 'string', format: 'date' };
const dateTime = { type: 'string', format: 'date-time' };
const number = { type: 'number' };
const path = {
  type: 'string',
  minLength: 1,
  maxLength: 1_024,
  // Relative, no empty, `.` or `..` segment, no backslash, no control character.
  pattern: '^(?!/)(?!.*//)(?!.*(?:^|/)\\.{1,2}(?:/|$))(?!.*/$)[^\\\\\\u0000-\\u001f]+$',
};

type Fields = Readonly<Record<string, object>>;

function object(required: Fields, optional: Fields = {}): object {
  const properties = { ...required, ...optional };
  return { type: 'object', additionalProperties: false, required: Object.keys(required), properties };
}

function list(items: object, min = 0): object {
  return { type: 'array', minItems: min, maxItems: ITEMS_MAX, items };
}

const lineItem = object(
  { start_date: day, end_date: day, number_of_units: number, net_amount: number },
  { rate_band: identifier, price_per_unit: number, units: { type: 'array', items: number } },
);

const taxItem = object({
  amount: number,
  tax_type: identifier,
  value_taxed: number,
  rate: number,
  unit_type: { enum: ['PROPORTION', 'CURRENCY_PER_KWH'] },
});

const transaction = object(
  {
    transaction_id: identifier,
    transaction_date: day,
    amount: { type: 'number', multipleOf: 0.01, exclusiveMinimum: -1e12, exclusiveMaximum: 1e12 },
    type: { enum: ['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'] },
  },
  {
    reason: { enum: ['ACCOUNT_CHARGE_PAYMENT', 'IMPORTED_CHARGE', 'IMPORTED_CREDIT', 'GENERAL_CREDIT'] },
    reference: { type: 'string', minLength: 1, maxLength: 512 },
    payment_type: { enum: ['DD_REGULAR_COLLECTION', 'DIRECT_CREDIT', 'DEBIT_CARD'] },
    display_note: freeText,
    note: freeText,
    product_code: identifier,
    line_items: list(lineItem),
    tax_items: list(taxItem),
  },
);

const note = {
  ...object(
    {},
    {
      body: { type: 'string', maxLength: 50_000 },
      document_paths: list(object({ document_path: path })),
      created_at: dateTime,
      is_pinned: { type: 'boolean' },
      unpin_at: dateTime,
    },
  ),
  anyOf: [{ required: ['body'] }, { required: ['document_paths'] }],
};

const statement = object(
  { statement_id: identifier, bill_period_from_date: day, bill_period_to_date: day },
  { issued_date: day, number: identifier, gross_amount: number, statement_path: path },
);

function importRequest(name: string, item: object): object {
  const pair = { import_supplier: identifier, external_account_number: identifier };
  return object({ ...pair, [name]: list(item, 1) });
}

/** By the paths of the requests. */
export const BODY_SCHEMAS: Readonly<Record<string, object>> = {
  '/transactions/create': importRequest('transactions', transaction),
  '/notes/create': importRequest('notes', note),
  '/historical-statements/create': importRequest('statements', statement),
};
