import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AccountState } from '../../../accounts/status/account-state.js';
import { TotalsService } from '../../totals/totals.service.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { everyAccount } from './every-account.queries.js';
import { forEachItem, ITEM_NAMES, type ItemCounts } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../../ingest/kinds/items.js';

/** The facts that both sides compare at the end of a migration, all from one snapshot (choice V8). */
export interface Certificate {
  readonly importSupplier: string;
  readonly at: Date;
  readonly accounts: Readonly<Record<AccountState, number>>;
  readonly rows: ItemCounts;
  /** Exact sums of the transactions in hundredths by type, ordered by type. Types without transactions are left out. */
  readonly amounts: ReadonlyMap<string, bigint>;
  /** The number of accounts with control totals, and of those that differ. */
  readonly control: { readonly with: number; readonly differ: number };
  /** SHA-256 of the digests of the imported accounts (choice V4), lower-case hexadecimal. */
  readonly digest: string;
}

@Injectable()
export class CertificateService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly suppliers: ImportSuppliersService,
    private readonly totals: TotalsService,
  ) {}

  /** How many accounts there are to read, at the time of the call. @throws CommandError `supplier_not_found` */
  countAccounts(code: string): Promise<number> {
    return this.work.query(async (tx) => {
      const { accounts } = await this.totals.totalsOf(tx, await this.suppliers.id(tx, code));
      return Object.values(accounts).reduce((sum, count) => sum + count, 0);
    });
  }

  /**
   * Everything that a supplier's accounts hold, counted and summed up from the rows in one snapshot. It reads every row, in
   * constant memory.
   *
   * @param onAccount called after each account
   * @throws CommandError `supplier_not_found`, `interrupted`
   * Source: choices V4, V8.
   */
  async certify(code: string, interrupted: AbortSignal, onAccount: () => void): Promise<Certificate> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const at = this.clock.now();
    const accounts: Record<AccountState, number> = { imported: 0, pending: 0, in_progress: 0, failed: 0 };
    const rows = forEachItem(() => 0);
    const amounts = new Map<string, bigint>();
    const control = { with: 0, differ: 0 };
    const digest = createHash('sha256');
    for await (const account of this.work.stream((tx) => everyAccount(tx, id))) {
      if (interrupted.aborted)
        throw new CommandError('interrupted', 'Interrupted before all accounts were read.');
      const { state, differs, content } = account;
      accounts[state] += 1;
      for (const name of ITEM_NAMES) rows[name] += content.sections[ITEMS[name].section].count;
      for (const [type, amount] of content.amounts) amounts.set(type, (amounts.get(type) ?? 0n) + amount);
      if (differs !== null) control.with += 1;
      if (differs === true) control.differ += 1;
      if (state === 'imported') {
        digest.update(`${JSON.stringify(content.externalAccountNumber)} ${content.digest}\n`);
      }
      onAccount();
    }
    const inOrder = new Map([...amounts].sort(([one], [other]) => (one < other ? -1 : 1)));
    return {
      importSupplier: code,
      at,
      accounts,
      rows,
      amounts: inOrder,
      control,
      digest: digest.digest('hex'),
    };
  }
}
