import { Injectable } from '@nestjs/common';
import { arrayLiteral } from '../database/array-literal.js';
import { joinJson } from '../database/json-list.js';
import { run } from '../database/query.js';
import { namedSupplierId } from '../database/supplier-codes.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { formatDateTime } from '../clock/dates.js';
import { inRows } from '../database/in-pages.js';
import { EvidenceService, pageParameters } from './evidence/evidence.service.js';
import type { Evidence, EvidenceCursor } from './evidence/evidence.types.js';
import { AuditRun } from './audit-run.js';
import { insertEntry, INSERT_OF_ACCOUNTS, KEY_LABELS, LIST } from './audit.queries.js';
import type {
  AccountsChange,
  AuditFilter,
  ChangedAccount,
  ListedEntry,
  OperatorChange,
} from './audit.types.js';
import { newestFirst } from './newest-first.js';

/** Entries in one page: few enough for constant memory, enough to make round trips negligible. */
const PAGE_ROWS = 1_000;

/** Records and lists operator changes. The list also contains the evidence of who saw which customer's data. */
@Injectable()
export class AuditService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * Record an operator change in the transaction that makes it, so that neither exists without the other.
   *
   * Source: choice O6.
   */
  record(tx: Tx, change: OperatorChange): Promise<void> {
    return insertEntry(tx, change);
  }

  /**
   * Record the same change of several accounts with one query, in the transaction that makes it. Each account gets its own entry.
   *
   * Source: choice O6.
   */
  async recordOfAccounts(tx: Tx, change: AccountsChange, accounts: readonly ChangedAccount[]): Promise<void> {
    if (accounts.length === 0) return;
    await run(tx, INSERT_OF_ACCOUNTS, {
      operator: change.operator,
      action: change.action,
      import_supplier: change.importSupplier,
      account_numbers: arrayLiteral(accounts, ({ external_account_number }) => external_account_number),
      details: joinJson(accounts.map(({ details }) => details)),
    });
  }

  /** A {@link run} that changes a supplier. */
  runOf(importSupplier: string, action: OperatorChange['action'], operator: string): AuditRun {
    return this.run({ operator, action, subject: importSupplier, importSupplier });
  }

  /** Start the record of a change that takes many transactions. */
  run(change: OperatorChange): AuditRun {
    return new AuditRun(this.work, change);
  }

  /**
   * The recorded changes and views, newest first. Each page is read when it is needed, so a list of any length takes constant
   * memory. Changes made while the list is read may be missing.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice O6.
   */
  async list(filter: AuditFilter): Promise<AsyncIterable<ListedEntry>> {
    const { importSupplier: code } = filter;
    if (code !== undefined) await this.work.query((tx) => namedSupplierId(tx, code));
    return filter.isOfViews === true
      ? this.views(filter)
      : newestFirst(this.changes(filter), this.views(filter));
  }

  private changes(filter: AuditFilter): AsyncGenerator<ListedEntry> {
    return inRows<ListedEntry & EvidenceCursor>(PAGE_ROWS, (before) =>
      this.work.query(async (tx) =>
        withKeyLabels(tx, await run(tx, LIST, pageParameters(filter, before, PAGE_ROWS))),
      ),
    );
  }

  private async *views(filter: AuditFilter): AsyncGenerator<ListedEntry> {
    const views = inRows<Evidence & Pick<ListedEntry, 'keyLabel'>>(PAGE_ROWS, async (before) => {
      const page = await this.evidence.list(filter, before, PAGE_ROWS);
      return this.work.query((tx) => withKeyLabels(tx, page));
    });
    for await (const { count, last_at, from_other_sites, ...view } of views) {
      const isOfAccount = view.import_supplier !== null;
      const others = from_other_sites > 0 && { from_other_sites };
      yield { ...view, details: isOfAccount ? { count, last_at: formatDateTime(last_at), ...others } : {} };
    }
  }
}

/** How entries name the key of an organisation or of the platform that acted. */
const RECORDED_KEY = /^(?:api|platform) key ([0-9a-f-]{36})$/;

/** Adds the labels of the keys that acted. */
async function withKeyLabels<Entry extends Pick<ListedEntry, 'operator'>>(
  tx: Tx,
  entries: readonly Entry[],
): Promise<(Entry & Pick<ListedEntry, 'keyLabel'>)[]> {
  const keyOf = ({ operator }: Entry): string | undefined => RECORDED_KEY.exec(operator)?.[1];
  const ids = [...new Set(entries.flatMap((entry) => keyOf(entry) ?? []))];
  const labels = new Map(
    ids.length > 0 ? (await run(tx, KEY_LABELS, { key_ids: ids })).map(({ id, label }) => [id, label]) : [],
  );
  return entries.map((entry) => ({ ...entry, keyLabel: labels.get(keyOf(entry) ?? '') }));
}
