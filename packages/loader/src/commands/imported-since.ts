import { NotFoundError, type DataImportClient } from '@data-import/client';
import { askFor } from '../check/accounts.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { Failed } from '../journal/events.js';
import { byteOrderOf } from '../rows/account-order.js';
import { Intervals } from '../rows/intervals.js';
import { ACCOUNT_NOT_FOUND } from '../send/refusal.js';
import { asking } from './run.js';
import type { ReadSession } from './session.js';

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

  const { concurrency, supplier, mapping } = options;
  const { signal } = running.stop;
  const imported = new Set<string>();
  const own = [...unknown].map((account) => ({ account, order: byteOrderOf(account) }));
  own.sort((one, other) => (one.order < other.order ? -1 : 1));
  const isEnded = await asking(options, running, concurrency, async (client) => {
    const questions = {
      single: (account: string) => importedOnly(client, supplier, account, signal),
      list: (after: string) =>
        client.listImportedAccountImportProcesses(supplier, { after, pageSize: 10_000, signal }),
      rowsOf: () => 0,
      concurrency,
    };
    for await (const { own: one, service } of askFor(own.values(), questions))
      if (service) imported.add(one.account);
    return true;
  });
  if (!isEnded || imported.size === 0) return NONE;

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

/** @returns undefined for an account that is not imported, or was never staged */
async function importedOnly(
  client: DataImportClient,
  supplier: string,
  account: string,
  signal: AbortSignal,
): Promise<{ readonly external_account_number: string } | undefined> {
  try {
    const { status } = await client.getAccountTransferStatus(supplier, account, { signal });
    return status === 'COMPLETED' ? { external_account_number: account } : undefined;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
