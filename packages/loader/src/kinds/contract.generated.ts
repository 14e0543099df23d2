// Generated from contract/openapi.json by npm run contract.

/**
 * By operation id: the query parameters, the member of the body that lists the items (without it, the body is the item), and the
 * fields of an item with their types. An object as a type stands for a list of objects with these fields, and a type in brackets
 * for a list of that type. `requiredInLists` has the required fields of the objects in a list. `choices` has the known values of a
 * field; an operator may have added others. `rules` has by path what every value of a field must fulfil.
 */
export const OPERATIONS = {
  createNotes: {
    parameters: [
      "dry_run"
    ],
    list: "notes",
    required: [],
    fields: {
      body: "text",
      document_paths: {
        document_path: "text"
      },
      created_at: "date-time",
      is_pinned: "boolean",
      unpin_at: "date-time"
    },
    requiredInLists: {
      document_paths: [
        "document_path"
      ]
    },
    choices: {},
    rules: {
      body: {
        maxLength: 50000
      },
      "document_paths.document_path": {
        minLength: 1,
        maxLength: 1024,
        pattern: "^(?!\\.{1,2}(?:\\/|$))[^\\/\\\\\\x00-\\x1f\\x7f-\\x9f]+(?:\\/(?!\\.{1,2}(?:\\/|$))[^\\/\\\\\\x00-\\x1f\\x7f-\\x9f]+)*$"
      }
    }
  },
  createHistoricalStatements: {
    parameters: [
      "dry_run"
    ],
    list: "statements",
    required: [
      "statement_id",
      "bill_period_from_date",
      "bill_period_to_date"
    ],
    fields: {
      statement_id: "text",
      bill_period_from_date: "date",
      bill_period_to_date: "date",
      issued_date: "date",
      number: "text",
      gross_amount: "number",
      statement_path: "text"
    },
    requiredInLists: {},
    choices: {},
    rules: {
      statement_id: {
        minLength: 1,
        maxLength: 128
      },
      number: {
        minLength: 1,
        maxLength: 128
      },
      gross_amount: {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      statement_path: {
        minLength: 1,
        maxLength: 1024,
        pattern: "^(?!\\.{1,2}(?:\\/|$))[^\\/\\\\\\x00-\\x1f\\x7f-\\x9f]+(?:\\/(?!\\.{1,2}(?:\\/|$))[^\\/\\\\\\x00-\\x1f\\x7f-\\x9f]+)*$"
      }
    }
  },
  createPaymentInstruction: {
    parameters: [
      "dry_run"
    ],
    required: [
      "vendor",
      "reference",
      "type"
    ],
    fields: {
      vendor: "text",
      reference: "text",
      type: "text"
    },
    requiredInLists: {},
    choices: {
      vendor: [
        "GOCARDLESS",
        "SANDBOX",
        "STRIPE"
      ],
      type: [
        "BPAY",
        "CARD",
        "CUSTOM",
        "DIRECT_DEBIT",
        "PAYMENT_SLIP"
      ]
    },
    rules: {
      vendor: {
        minLength: 1
      },
      reference: {
        minLength: 1,
        maxLength: 512
      },
      type: {
        minLength: 1
      }
    }
  },
  createTransactions: {
    parameters: [
      "dry_run",
      "check_previously_added",
      "force_add_to_current_statement"
    ],
    list: "transactions",
    required: [
      "transaction_id",
      "transaction_date",
      "amount",
      "type"
    ],
    fields: {
      transaction_id: "text",
      transaction_date: "date",
      amount: "number",
      type: "text",
      reason: "text",
      reference: "text",
      payment_type: "text",
      display_note: "text",
      note: "text",
      product_code: "text",
      line_items: {
        rate_band: "text",
        start_date: "date",
        end_date: "date",
        number_of_units: "number",
        net_amount: "number",
        price_per_unit: "number",
        units: [
          "number"
        ]
      },
      tax_items: {
        amount: "number",
        tax_type: "text",
        value_taxed: "number",
        rate: "number",
        unit_type: "text"
      }
    },
    requiredInLists: {
      line_items: [
        "start_date",
        "end_date",
        "number_of_units",
        "net_amount"
      ],
      tax_items: [
        "amount",
        "tax_type",
        "value_taxed",
        "rate",
        "unit_type"
      ]
    },
    choices: {
      type: [
        "CHARGE",
        "CREDIT",
        "PAYMENT",
        "REPAYMENT",
        "SUPPLY_CHARGE"
      ],
      reason: [
        "ACCOUNT_CHARGE_PAYMENT",
        "BALANCE_ADJUSTMENT",
        "BALANCE_THRESHOLD_CROSSED",
        "BALANCE_TRANSFER",
        "BILLING_ADJUSTMENT",
        "BILL_ISSUED",
        "CANCELED_BILL",
        "CHARGEBACK",
        "COMPLAINT_COMPENSATION",
        "DATA_IMPORT_BALANCE_TRANSFER",
        "DEBT_REPAYMENT",
        "DEFAULT",
        "DEPOSIT",
        "DEPOSIT_RETURN",
        "FAILED_PAYMENT",
        "FINAL_BALANCE_SETTLEMENT",
        "FULL_CREDIT_REFUND",
        "FULL_PREPAYMENT_REFUND",
        "GENERAL_CREDIT",
        "GOODWILL_PAYMENT",
        "IMPORTED_CHARGE",
        "IMPORTED_CREDIT",
        "INDEMNITY_CLAIM",
        "LATE_FAILED_PAYMENT",
        "LATE_PAYMENT_FEE_CHARGE",
        "LOYALTY_REWARD",
        "MIGRATION_ADJUSTMENT",
        "MISTAKEN_PAYMENT_TAKEN",
        "PARTIAL_CREDIT_REFUND",
        "PARTIAL_REPAYMENT_REFUND",
        "PAYMENT_CORRECTION",
        "PAYMENT_PLAN",
        "PREPAY_DEBT_ADJUSTMENT",
        "PREPAY_RECORD",
        "REFUND",
        "REGULAR_SCHEDULE",
        "REPAYMENT_CORRECTION",
        "REVERSED_ACCOUNT_CHARGE",
        "REVERSED_ACCOUNT_CREDIT",
        "SETTLEMENT",
        "WRITE_BACK"
      ],
      payment_type: [
        "BACS",
        "BACS_DEPOSIT",
        "BPAY",
        "CARD_REFUND",
        "CASH",
        "CHEQUE",
        "CREDIT_CARD",
        "DD_FINAL_COLLECTION",
        "DD_FIRST_COLLECTION",
        "DD_REGULAR_COLLECTION",
        "DD_RE_PRESENTATION",
        "DEBIT_CARD",
        "DIRECT_CREDIT",
        "EFT",
        "ERRONEOUS_PAYMENT"
      ]
    },
    rules: {
      transaction_id: {
        minLength: 1,
        maxLength: 128
      },
      amount: {
        minimum: -999999999999.99,
        maximum: 999999999999.99,
        decimals: 2
      },
      type: {
        enum: [
          "CHARGE",
          "CREDIT",
          "PAYMENT",
          "REPAYMENT",
          "SUPPLY_CHARGE"
        ]
      },
      reason: {
        minLength: 1
      },
      reference: {
        minLength: 1,
        maxLength: 512
      },
      payment_type: {
        minLength: 1
      },
      display_note: {
        maxLength: 5000
      },
      note: {
        maxLength: 5000
      },
      product_code: {
        minLength: 1,
        maxLength: 128
      },
      "line_items.rate_band": {
        minLength: 1,
        maxLength: 128
      },
      "line_items.number_of_units": {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      "line_items.net_amount": {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      "line_items.price_per_unit": {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      "tax_items.amount": {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      "tax_items.tax_type": {
        minLength: 1,
        maxLength: 128
      },
      "tax_items.value_taxed": {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      "tax_items.rate": {
        decimals: 10,
        digits: 15,
        whole: 30
      },
      "tax_items.unit_type": {
        enum: [
          "PROPORTION",
          "CURRENCY_PER_KWH"
        ]
      }
    }
  }
} as const;

/** The members that every body has besides its items. */
export const ENVELOPE = [
  "import_supplier",
  "external_account_number"
] as const;

/** Maximum length of an account number, in characters. */
export const ACCOUNT_LENGTH_MAX = 128;

/** Maximum size of an item, in bytes. */
export const ITEM_BYTES_MAX = 262144;

/** Maximum length of the lists in an item, at any level, by name. */
export const LIST_ITEMS_MAX: Readonly<Record<string, number>> = {
  document_paths: 100,
  line_items: 1000,
  units: 100,
  tax_items: 100
};

/** The sections of an account's content, in the order of the digests. */
export const SECTIONS = [
  "notes",
  "transactions",
  "historical_statements",
  "payment_instructions"
] as const;
