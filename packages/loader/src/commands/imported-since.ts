import { DataImportError, NotFoundError, type DataImportClient } from '@data-import/client';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Failed } from '../journal/events.js';
import { byteOrderOf } from '../rows/account-order.js';
import { Intervals } from '../rows/intervals.js';
import { ACCOUNT_NOT_FOUND } from '../send/refusal.js';
import { clientFor } from './run.js';
import type { ReadSession } from './session.js';
import { stopBecauseOf } from './supplier.js';

/** Up to this many accounts are requested one by one; more are looked up in the list of imported accounts. */
const SINGLY_MAX = 2_000;

/** Rows that failed because their account was not imported, and whose account is imported now. */
export interface ImportedSince {
  /** Their positions. */
  readonly rows: ReadonlyMap<Kind, Intervals>;
  readonly counts: ReadonlyMap<Kind, number>;
}

const NONE: ImportedSince = { rows: new Map(), counts: new Map() };

/**
 * Ask the service which accounts with failed rows are imported now. A corrected row is left to `retry`, because the files of the
 * folder do not have its text. The run is stopped when the service does not answer.
 *
 * Source: choice L10.
 */
export async function importedSince({
  options,
  running,
  journal,
  failures,
  preparations,
}: ReadSession): Promise<ImportedSince> {
  const { state } = journal;
  if (KINDS.every((kind) => state.of(kind).failed === 0)) return NONE;
  const unknown = new Set<string>();
  const isUnknown = ({ kind, errors, isCorrected }: Failed): boolean =>
    preparations.has(kind) && !isCorrected && errors.some(({ code }) => code === ACCOUNT_NOT_FOUND);
  for await (const failed of journal.failures())
    if (failed.account !== undefined && isUnknown(failed)) unknown.add(failed.account);
  if (unknown.size === 0) return NONE;

  const { concurrency, giveUpAfterMs, supplier, mapping } = options;
  const { signal } = running.stop;
  const retry = { giveUpAfterMs, attempts: Infinity };
  const client = clientFor(options, running, { connections: concurrency, retry });
  let imported: ReadonlySet<string>;
  try {
    const ask = unknown.size > SINGLY_MAX ? inList : singly;
    imported = await ask([...unknown], { client, supplier, concurrency, signal });
  } catch (error) {
    if (signal.aborted) return NONE;
    if (!(error instanceof DataImportError)) throw error;
    stopBecauseOf(error, giveUpAfterMs, running.stop);
    return NONE;
  } finally {
    client.close();
  }
  if (imported.size === 0) return NONE;

  const edits = await failures.edits(journal, mapping.of);
  const rows = new Map<Kind, Intervals>();
  const counts = new Map<Kind, number>();
  for await (const failed of journal.failures()) {
    const { kind, account = '', start, end } = failed;
    if (!imported.has(account) || !isUnknown(failed) || edits.get(kind)?.has(start)) continue;
    const ofKind = rows.get(kind) ?? new Intervals();
    ofKind.add(start, end);
    rows.set(kind, ofKind);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return { rows, counts };
}

interface Asking {
  readonly client: DataImportClient;
  readonly supplier: string;
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

async function singly(
  accounts: readonly string[],
  { client, supplier, concurrency, signal }: Asking,
): Promise<ReadonlySet<string>> {
  const imported = new Set<string>();
  const left = [...accounts];
  const ask = async (): Promise<void> => {
    for (let account = left.pop(); account !== undefined; account = left.pop()) {
      try {
        const { status } = await client.getAccountTransferStatus(supplier, account, { signal });
        if (status === 'COMPLETED') imported.add(account);
      } catch (error) {
        // The account was never staged.
        if (!(error instanceof NotFoundError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, ask));
  return imported;
}

/** The list is in the order of account numbers (choice S5). */
async function inList(
  accounts: readonly string[],
  { client, supplier, signal }: Asking,
): Promise<ReadonlySet<string>> {
  const wanted = new Set(accounts);
  const last = accounts.map(byteOrderOf).reduce((one, other) => (one > other ? one : other));
  const imported = new Set<string>();
  const list = client.listImportedAccountImportProcesses(supplier, { pageSize: 10_000, signal });
  for await (const { external_account_number: account } of list) {
    if (wanted.has(account)) imported.add(account);
    if (imported.size === wanted.size || byteOrderOf(account) >= last) break;
  }
  return imported;
}
