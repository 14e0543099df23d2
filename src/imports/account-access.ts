import type { Caller } from '../auth/caller.js';
import { AppError, fieldError, validationError } from '../common/errors.js';
import type { SupplierStatus } from '../import-suppliers/import-supplier.entity.js';
import { run, type Query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import type { AccountRef } from '../accounts/account-ref.js';

/** Who loads, and onto which account. */
export interface Load {
  readonly caller: Caller;
  readonly ref: AccountRef;
}

/** Parameters of the door itself; see {@link doorParameters}. */
const DOOR_PARAMETERS = 5;

/**
 * The one door to an account: what a caller may load onto, decided in the statement that relies on the answer.
 *
 * Every load begins with this common table expression, `WITH ${accountDoor(…)}, …`, for one load or for several at once.
 * It takes the first parameters (see {@link doorParameters}) and has one row for each load, numbered `load` from 1. Its
 * `is_open` says whether the supplier is ongoing and the account imported; what stores rows asks for it. The supplier's
 * columns are null when it is unknown or not granted to the caller, the account's while it is not imported. `import_request_id`
 * names the load, in the record and on every row it stores.
 *
 * @param own further columns that each load brings along, by name with their SQL type: parameters 6 and up
 * Source: contract A8, S2, S8, T10.
 */
export function accountDoor(own: Readonly<Record<string, string>> = {}): string {
  const names = Object.keys(own);
  const columns = names.map((name) => `, asked.${name}`).join('');
  const parameters = Object.values(own).map((type, index) => `, $${DOOR_PARAMETERS + 1 + index}::${type}[]`);
  return `
  door AS MATERIALIZED (
    SELECT asked.load::integer AS load,
           asked.api_key_id,
           asked.request_id${columns},
           s.id AS import_supplier_id,
           s.status AS supplier_status,
           s.document_root,
           s.document_check,
           a.external_account_number,
           a.service_account_number,
           a.open_statement_from,
           a.open_statement_to,
           uuidv7() AS import_request_id,
           s.status = 'ongoing' AND a.external_account_number IS NOT NULL AS is_open
      FROM unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[]${parameters.join('')})
             WITH ORDINALITY
             AS asked (organisation_id, supplier, account, api_key_id, request_id${names.map((name) => `, ${name}`).join('')},
                       load)
      LEFT JOIN LATERAL (
        SELECT s.*
          FROM import_supplier s
         WHERE s.code = asked.supplier
           AND (SELECT 1
                  FROM import_supplier_grant g
                 WHERE g.import_supplier_id = s.id AND g.organisation_id = asked.organisation_id
                 LIMIT 1) IS NOT NULL
         LIMIT 1
      ) AS s ON true
      LEFT JOIN account_import a
        ON a.import_supplier_id = s.id AND a.external_account_number = asked.account AND a.status = 'imported'
  )`;
}

/** The first five parameters of every statement that begins with the door. */
function doorParameters(loads: readonly Load[]): [string[], string[], string[], string[], string[]] {
  return [
    loads.map(({ caller }) => caller.organisationId),
    loads.map(({ ref }) => ref.importSupplier),
    loads.map(({ ref }) => ref.externalAccountNumber),
    loads.map(({ caller }) => caller.apiKeyId),
    loads.map(({ caller }) => caller.requestId),
  ];
}

/** Which load each of the items of all loads belongs to, numbered as the door numbers them. */
export function loadNumbers<L extends Load>(
  loads: readonly L[],
  itemsOf: (load: L) => readonly unknown[],
): number[] {
  return loads.flatMap((load, index) => new Array<number>(itemsOf(load).length).fill(index + 1));
}

/** Where the items of each load begin among the items of all, from 1. */
export function firstPositions<L extends Load>(
  loads: readonly L[],
  itemsOf: (load: L) => readonly unknown[],
): number[] {
  let next = 1;
  return loads.map((load) => {
    const first = next;
    next += itemsOf(load).length;
    return first;
  });
}

/**
 * Run the statement of some loads.
 *
 * @param parameters those behind the door's own
 * @returns each load with its row, in the order of the loads
 */
export async function runLoads<L extends Load, Row extends DoorAnswer>(
  tx: Tx,
  wanted: Query<Row>,
  loads: readonly L[],
  parameters: readonly unknown[],
): Promise<{ readonly load: L; readonly row: Row }[]> {
  const rows = await run(tx, wanted, [...doorParameters(loads), ...parameters]);
  const rowOf = new Map(rows.map((row) => [row.load, row]));
  return loads.map((load, index) => {
    const row = rowOf.get(index + 1);
    if (!row) throw new Error(`The statement ${wanted.name} left a load without an answer.`);
    return { load, row };
  });
}

/**
 * Run the statement of a single load.
 *
 * @param own its own columns, in the order in which the statement's door names them
 */
export async function runLoad<Row extends DoorAnswer>(
  tx: Tx,
  wanted: Query<Row>,
  load: Load,
  own: readonly unknown[],
): Promise<Row> {
  const [row] = await run(tx, wanted, [...doorParameters([load]), ...own.map((value) => [value])]);
  if (!row) throw new Error(`The statement ${wanted.name} left a load without an answer.`);
  return row;
}

/**
 * The record of each load, kept beside what it stored, as a common table expression: who loaded, by which request, how
 * many rows. Nothing is recorded of a load that stored nothing.
 *
 * @param kind what was loaded
 * @param outcome name of a common table expression: the door, and how many rows of each load were `stored`
 */
export function loadRecord(
  kind: 'notes' | 'transactions' | 'statements' | 'payment_instruction',
  outcome: string,
): string {
  return `
  load_record AS (
    INSERT INTO import_request (import_supplier_id, external_account_number, id, kind, api_key_id, request_id, stored)
    SELECT o.import_supplier_id, o.external_account_number, o.import_request_id, '${kind}', o.api_key_id, o.request_id, o.stored
      FROM ${outcome} o
     WHERE o.stored > 0
  )`;
}

/** A load that may name documents. */
export interface DocumentLoad extends Load {
  readonly hasDocuments: boolean;
  /** The document root below which all of them were found; null while they were not looked up. */
  readonly checkedRoot: string | null;
}

/** What {@link DOCUMENT_DEMAND} needs to know of each load; for {@link accountDoor}. */
export const DOCUMENT_COLUMNS = { has_documents: 'boolean', checked_root: 'text' };

/** The parameters of {@link DOCUMENT_COLUMNS}. */
export function documentParameters(loads: readonly DocumentLoad[]): [boolean[], (string | null)[]] {
  return [loads.map(({ hasDocuments }) => hasDocuments), loads.map(({ checkedRoot }) => checkedRoot)];
}

/**
 * Whether a load has to wait until its documents were looked up, as a common table expression `documents`: the door with
 * two columns more.
 *
 * - `root_to_check`: the supplier wants every document to be there before anything is stored, and those below this root
 *   have not been looked up. The statement must store nothing of the load, and answer it (load-documents.ts). Null: go on.
 * - `seen_at`: the present moment when the documents have been looked up, else null.
 *
 * The root that was looked up comes back as a parameter, so a root that was changed meanwhile is noticed here.
 *
 * Source: contract F3.
 */
export const DOCUMENT_DEMAND = `
  documents AS MATERIALIZED (
    SELECT door.*,
           CASE WHEN door.is_open AND door.document_check = 'reject' AND door.has_documents
                 AND door.checked_root IS DISTINCT FROM door.document_root
                THEN door.document_root END AS root_to_check,
           CASE WHEN door.checked_root = door.document_root THEN now() END AS seen_at
      FROM door
  )`;

/** What the statement must say of the door, so that a refusal can be told: `supplier_status` and `is_open`. */
export interface DoorAnswer {
  /** Which load it is about, from 1. */
  readonly load: number;
  /** Null when the supplier is unknown or not granted. */
  readonly supplier_status: SupplierStatus | null;
  readonly is_open: boolean | null;
}

/**
 * Go on only when the door was open.
 *
 * @throws AppError `account_not_found`, or `validation_error` with `import_supplier_migration_not_ongoing`
 */
export function passDoor(answer: DoorAnswer): void {
  if (answer.supplier_status === null) throw new AppError('account_not_found');
  if (answer.supplier_status !== 'ongoing') {
    throw validationError([fieldError('import_supplier_migration_not_ongoing', 'import_supplier')]);
  }
  if (answer.is_open !== true) throw new AppError('account_not_found');
}
