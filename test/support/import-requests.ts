import type { AccountPair } from './service.js';

/** First day of every account's open statement period, to which transactions with earlier dates are moved. */
export const OPEN_FROM = '2026-01-01';

/** An import request, with a line for each item that it stores. */
export interface ImportRequest {
  readonly path: string;
  readonly payload: object;
  readonly items: readonly string[];
}

/** The differences between the stored and the acknowledged items of a supplier. */
export interface Difference {
  /** Acknowledged with 201 but not stored. */
  readonly lost: number;
  /** Stored more than once. */
  readonly doubled: number;
  /** Stored but never sent, or stored with different content. */
  readonly unknown: number;
}

/**
 * @param name prefix of the ids of the request's items, unique to the request
 * @param serial determines the endpoint, the number of items and their amounts
 */
export function requestOf(
  ref: AccountPair,
  name: string,
  serial: number,
  vendor: 'SANDBOX' | 'STRIPE' = 'SANDBOX',
): ImportRequest {
  const { external_account_number: account } = ref;
  const ids = Array.from({ length: (serial % 4) * 5 + 1 }, (_, item) => `${name}-${item}`);
  switch (serial % 5) {
    case 0:
      return {
        path: 'notes/create/',
        payload: {
          ...ref,
          notes: ids.map((body, item) => (item % 2 === 0 ? { body } : { body, ...SENT_AT })),
        },
        items: ids.map((body) => `note ${account} ${body}`),
      };
    case 1:
      return {
        path: 'historical-statements/create/',
        payload: { ...ref, statements: ids.map((id) => statement(id, serial)) },
        items: ids.map((id) => `statement ${account} ${id} ${serial}.125`),
      };
    case 2: {
      const reference = `${vendor === 'SANDBOX' ? 'ok' : 'pm'}_${name}`;
      return {
        path: 'payment-instruction/create/',
        payload: { ...ref, vendor, type: 'CARD', reference },
        items: [`instruction ${account} ${reference}`],
      };
    }
    default: {
      const lines = serial % 3;
      return {
        path: 'transactions/create/',
        payload: { ...ref, transactions: ids.map((id) => transaction(id, serial, lines)) },
        items: ids.map((id) => `transaction ${account} ${id} ${serial}.10 ${OPEN_FROM} ${lines}`),
      };
    }
  }
}

const SENT_AT = { created_at: '2025-06-01T12:00:00Z' };

function statement(id: string, serial: number): object {
  const period = { bill_period_from_date: '2025-01-01', bill_period_to_date: '2025-01-31' };
  return { statement_id: id, ...period, gross_amount: serial + 0.125 };
}

function transaction(id: string, serial: number, lines: number): object {
  const sentFor = serial % 2 === 0 ? OPEN_FROM : '2025-12-31';
  const plain = { transaction_id: id, transaction_date: sentFor, amount: Number(`${serial}.1`) };
  if (lines === 0) return { ...plain, type: 'CHARGE', reason: 'IMPORTED_CHARGE' };
  const line = { start_date: '2025-12-01', end_date: '2025-12-31', number_of_units: 2, net_amount: 1 };
  return {
    ...plain,
    type: 'SUPPLY_CHARGE',
    product_code: 'P',
    line_items: Array.from({ length: lines }, () => line),
  };
}

/** Every item of the supplier with the code $1, as a line of {@link ImportRequest}, except notes that explain moved dates. */
export const STORED = `
  WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1)
  SELECT 'note ' || external_account_number || ' ' || body AS line
    FROM note JOIN supplier ON supplier.id = import_supplier_id WHERE NOT is_pinned
   UNION ALL
  SELECT 'statement ' || external_account_number || ' ' || statement_id || ' ' || gross_amount
    FROM statement JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT 'instruction ' || external_account_number || ' ' || reference
    FROM payment_instruction JOIN supplier ON supplier.id = import_supplier_id
   UNION ALL
  SELECT 'transaction ' || external_account_number || ' ' || transaction_id || ' ' || amount || ' ' || transaction_date
         || ' ' || coalesce(json_array_length(line_items), 0)
    FROM transaction JOIN supplier ON supplier.id = import_supplier_id`;

/** Import requests of the supplier with the code $1 that moved transactions without a note that explains it. */
export const MOVED_WITHOUT_NOTE = `
  WITH supplier AS (SELECT id FROM import_supplier WHERE code = $1)
  SELECT import_request_id FROM transaction JOIN supplier ON supplier.id = import_supplier_id WHERE sent_date IS NOT NULL
  EXCEPT
  SELECT import_request_id FROM note JOIN supplier ON supplier.id = import_supplier_id WHERE is_pinned`;

/** Compare items, one per line. */
export function differenceOf(acknowledged: readonly string[], stored: readonly string[]): Difference {
  const times = new Map<string, number>();
  for (const item of stored) times.set(item, (times.get(item) ?? 0) + 1);
  const sent = new Set(acknowledged);
  const known = [...times].filter(([item]) => sent.has(item));
  return {
    lost: [...sent].filter((item) => !times.has(item)).length,
    doubled: known.reduce((sum, [, count]) => sum + count - 1, 0),
    unknown: times.size - known.length,
  };
}
