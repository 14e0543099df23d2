import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { withExactNumbers } from './item-json.js';
import type { ChangeRow } from './changes.types.js';

/** Sequence numbers are padded to this many digits, so that the order of texts is that of the numbers. */
const DIGITS = 19;

export function sequenceText(sequence: number): string {
  return String(sequence).padStart(DIGITS, '0');
}

/**
 * A change as JSON text: an event of CloudEvents 1.0, or what is left of one that is undone or erased.
 *
 * @param source the address of the feed with its epoch
 * Source: choices E2, E4.
 */
export function changeJson(row: ChangeRow & { sequence: number }, source: string): string {
  const sequence = sequenceText(row.sequence);
  const { type } = row;
  if (row.is_removed) {
    const by = row.removed_by === null ? '' : `,"removed_by":"${sequenceText(row.removed_by)}"`;
    return `{"sequence":"${sequence}","type":"${type}","data":{"removed":true${by}}}`;
  }
  const subject =
    row.external_account_number === null ? '' : `,"subject":${JSON.stringify(row.external_account_number)}`;
  const time = row.at === null ? '' : `,"time":"${formatDateTime(row.at)}"`;
  return `{"specversion":"1.0","id":"${sequence}","source":${source},"type":"${type}"${subject}${time},"sequence":"${sequence}","datacontenttype":"application/json","data":${dataOf(row)}}`;
}

function dataOf(row: ChangeRow): string {
  switch (row.type) {
    case 'supplier.status_changed':
      return members({ status: text(row.status) });
    case 'account.erased':
      return members({ external_account_number: text(row.external_account_number) });
    case 'account.imported':
      return members({ ...numbersOf(row), ...periodOf(row), account: row.account ?? undefined });
    case 'account.period_changed':
      return members({ ...numbersOf(row), ...periodOf(row) });
    case 'import.undone':
      return members({ ...numbersOf(row), ...requestOf(row) });
    case 'notes.added':
    case 'transactions.added':
    case 'statements.added':
    case 'payment_instruction.added':
      return members({
        ...numbersOf(row),
        ...requestOf(row),
        items: `[${withExactNumbers(row.items ?? '')}]`,
        pinned_note: row.pinned_note ?? undefined,
      });
  }
}

type Members = Readonly<Record<string, string | undefined>>;

function numbersOf({ external_account_number, service_account_number }: ChangeRow): Members {
  return {
    external_account_number: text(external_account_number),
    service_account_number: text(service_account_number),
  };
}

function periodOf({ open_statement_from, open_statement_to }: ChangeRow): Members {
  return { open_statement_from: text(open_statement_from), open_statement_to: text(open_statement_to) };
}

/** The request id of the client is unknown when the record of the request is gone. */
function requestOf({ import_request_id, request_id }: ChangeRow): Members {
  return { import_request_id: text(import_request_id), request_id: text(request_id) };
}

function text(value: string | null): string {
  return JSON.stringify(value);
}

/** @param values JSON texts; undefined values are omitted */
function members(values: Members): string {
  const parts = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`"${name}":${value}`],
  );
  return `{${parts.join(',')}}`;
}
