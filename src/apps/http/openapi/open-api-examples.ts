/** A request and its answer as a client sees them. A GET has no request body. */
export interface Example {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
}

/** The account in every example. Its open statement period is November 2026, so one transaction is moved into it. */
const ACCOUNT = { import_supplier: 'ACME', external_account_number: '1001' };
const SERVICE_ACCOUNT_NUMBER = 'A-3F9C01D7';

const SUPPLY_CHARGE = {
  transaction_id: 'L-2',
  transaction_date: '2026-10-28',
  type: 'SUPPLY_CHARGE',
  product_code: 'STANDARD',
  line_items: [
    {
      rate_band: 'CONSUMPTION_STANDARD',
      start_date: '2026-10-01',
      end_date: '2026-10-28',
      number_of_units: 210.5,
      net_amount: 52.625,
      price_per_unit: 0.25,
    },
  ],
  tax_items: [{ amount: 2.63, tax_type: 'VAT', value_taxed: 52.625, rate: 0.05, unit_type: 'PROPORTION' }],
};
const PAYMENT = {
  transaction_id: 'L-1',
  transaction_date: '2026-11-02',
  type: 'PAYMENT',
  reason: 'ACCOUNT_CHARGE_PAYMENT',
  reference: 'DD-2026-11',
  payment_type: 'DD_REGULAR_COLLECTION',
};

const STATEMENTS = {
  ...ACCOUNT,
  statements: [
    {
      statement_id: 'S-2026-10',
      bill_period_from_date: '2026-10-01',
      bill_period_to_date: '2026-10-31',
      issued_date: '2026-11-03',
      number: '2026/10/1001',
      gross_amount: 55.26,
      statement_path: '1001/2026-10.pdf',
    },
  ],
};

const IMPORTED = {
  external_account_number: '1001',
  service_account_number: SERVICE_ACCOUNT_NUMBER,
  account_created_at: '2026-11-01T06:00:00Z',
};
const PENDING = { external_account_number: '1002', service_account_number: null, account_created_at: null };

/** The account's content after the requests below. */
const CONTENT = {
  external_account_number: '1001',
  service_account_number: SERVICE_ACCOUNT_NUMBER,
  notes: { count: 2, digest: '67a33a17263f0f1ace321962340fbf73481b45dd2351463d08257dd3f57c8c8b' },
  transactions: {
    count: 2,
    digest: '6fc38af36ef2ca935c75bde7d5fa0e7dad8ffe94c29cd6189daaede0d64bb475',
    amounts: { PAYMENT: '40.50', SUPPLY_CHARGE: '55.26' },
  },
  historical_statements: {
    count: 1,
    digest: '58a0fec36a6ad0e5ead1366fbbe59728a9f325ee02c67999e7ed4986b6666213',
  },
  payment_instructions: {
    count: 1,
    digest: 'e92cd90e862e9cfa9e4cb0cd3e508729c5315ad9ac4c601eb07106e9841f1dd0',
  },
  digest: '20d3fa9f5cef3f2a5c9954b8c6d6153195fc1e6f287bbe6b83f56fd227b3da5d',
};

/**
 * One example for each operation, by operation id. Each builds on the ones before, so that the tests can send every request to the
 * service and compare its answer.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  createNotes: {
    request: {
      ...ACCOUNT,
      notes: [
        {
          body: 'Please ring the upper bell.',
          created_at: '2026-10-30T09:30:00Z',
          is_pinned: true,
          unpin_at: '2027-01-31T00:00:00Z',
        },
        { document_paths: [{ document_path: '1001/contract.pdf' }], created_at: '2024-05-17T12:00:00Z' },
      ],
    },
    answer: [
      {
        created_at: '2026-10-30T09:30:00Z',
        body: 'Please ring the upper bell.',
        status: 'NOTE_CREATION_SUCCESS',
      },
      { created_at: '2024-05-17T12:00:00Z', body: '', status: 'NOTE_CREATION_SUCCESS' },
    ],
  },
  createTransactions: {
    request: {
      ...ACCOUNT,
      transactions: [
        { ...PAYMENT, amount: 40.5 },
        { ...SUPPLY_CHARGE, amount: 55.26 },
      ],
    },
    answer: {
      results: [
        {
          status: 'TRANSACTION_ADDED_TO_ACCOUNT',
          transaction_data: { ...PAYMENT, amount: '40.50', status: 'TRANSACTION_IMPORT_SUCCESS' },
        },
        {
          status: 'TRANSACTION_ADDED_TO_ACCOUNT',
          transaction_data: {
            ...SUPPLY_CHARGE,
            transaction_date: '2026-11-01',
            amount: '55.26',
            note: 'The transaction date was changed from 2026-10-28 to 2026-11-01, which lies in the open statement period.',
            status: 'TRANSACTION_IMPORT_SUCCESS',
          },
        },
      ],
    },
  },
  createHistoricalStatements: { request: STATEMENTS, answer: STATEMENTS },
  createPaymentInstruction: {
    request: { ...ACCOUNT, vendor: 'SANDBOX', reference: 'ok_1001', type: 'CARD' },
    answer: { service_account_number: SERVICE_ACCOUNT_NUMBER, reference: 'ok_1001' },
  },
  getAccountTransferStatus: {
    answer: { status: 'COMPLETED', service_account_number: SERVICE_ACCOUNT_NUMBER },
  },
  listAllAccountImportProcesses: { answer: [IMPORTED, PENDING] },
  listPendingAccountImportProcesses: { answer: [PENDING] },
  listImportedAccountImportProcesses: { answer: [IMPORTED] },
  getAccountContent: { answer: CONTENT },
  listAccountContents: { answer: [CONTENT] },
};
