import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CommandError } from '../../infrastructure/errors/command-error.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { accountNotFound } from '../../accounts/status/account-not-found.js';
import type { Erasure, ErasureOrder } from './erasure.types.js';
import { changeOf, ErasureTools, RunningErasure } from './running-erasure.js';

/**
 * Removes everything that is stored for accounts.
 *
 * The first transaction deletes the account and records that its rows must be removed. From then on requests answer that
 * there is no such account. The erasure then waits for the transactions that may have seen the account, and removes the
 * rows in batches, each in a transaction of its own. A run that is killed leaves the erasure under way, and the next run of
 * the same command completes it. Until then the number cannot be staged.
 */
@Injectable()
export class ErasureService {
  constructor(
    private readonly suppliers: ImportSuppliersService,
    private readonly tools: ErasureTools,
  ) {}

  /**
   * Begin the erasure, or continue one that was interrupted, which keeps its original reason. Erasing a supplier covers all
   * that exists when the erasure begins. Data that is staged meanwhile may be erased too.
   *
   * The start and the end are recorded in the transactions that make them, the end with the number of removed rows.
   *
   * @throws CommandError `supplier_not_found`; `account_not_found` when the account does not exist and no erasure of it is
   *   under way; while the documents are read, `erasure_taken_over` when another run of the command continues the erasure
   * Source: choice S10.
   */
  async begin(order: ErasureOrder): Promise<Erasure> {
    const { importSupplier, externalAccountNumber, reason } = order;
    const runId = randomUUID();
    const { work, repository, audit } = this.tools;
    const erasure = await work.write(async (tx) => {
      const id = await this.suppliers.id(tx, importSupplier);
      const begun = await repository.begin(tx, id, externalAccountNumber, reason, runId);
      const run = begun ?? (await repository.takeOver(tx, id, externalAccountNumber, runId));
      // Another run has ended the erasure since the conflict, so nothing is left to erase.
      if (run === undefined) throw noAccount(order);
      if (begun === undefined) return run;
      if (externalAccountNumber !== null) {
        const deleted = await repository.closeAccounts(tx, run, [externalAccountNumber]);
        if (deleted === 0) throw noAccount(order);
      }
      await audit.record(tx, changeOf(order, { run: run.erasure_id, event: 'started', reason }));
      return run;
    });
    return new RunningErasure(this.tools, order, erasure);
  }
}

function noAccount({ importSupplier, externalAccountNumber }: ErasureOrder): CommandError {
  return accountNotFound({ importSupplier, externalAccountNumber: externalAccountNumber ?? '' });
}
