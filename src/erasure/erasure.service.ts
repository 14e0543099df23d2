import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { NumberingService } from '../changes/numbering.service.js';
import type { CommandError } from '../common/command-error.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import { ImportSuppliersService } from '../import-suppliers/import-suppliers.service.js';
import { accountNotFound } from '../accounts/account-not-found.js';
import { RequestsUnderWay } from './requests-under-way.js';
import { ErasureRepository } from './erasure.repository.js';
import type { Erasure, ErasureOrder } from './erasure.types.js';
import { changeOf, RunningErasure } from './running-erasure.js';

/**
 * Removes everything that is stored of accounts.
 *
 * The first transaction deletes the account and notes that its rows are to be removed. From then on requests answer that
 * there is no such account. Then it waits for the transactions that may have seen the account, and removes the rows in
 * batches that are transactions of their own. A run that is killed leaves an erasure under way, which the next run of the
 * same command completes; until then the number cannot be staged.
 */
@Injectable()
export class ErasureService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: ErasureRepository,
    private readonly requests: RequestsUnderWay,
    private readonly audit: AuditService,
    private readonly evidence: EvidenceService,
    private readonly numbering: NumberingService,
  ) {}

  /**
   * Begin the erasure, or continue it where an earlier run was interrupted: then the earlier reason stays. Of a supplier
   * everything is erased that is there when it begins; what is staged meanwhile may be.
   *
   * Beginning and end are recorded in the transactions that make them, the end with the number of removed rows.
   *
   * @throws CommandError `supplier_not_found`; `account_not_found` when the account is not there and its erasure not under
   *   way; while it is carried out `erasure_taken_over` when another run of the command continues it
   * Source: choice S10.
   */
  async begin(order: ErasureOrder): Promise<Erasure> {
    const { importSupplier, externalAccountNumber, reason } = order;
    const runId = randomUUID();
    const erasure = await this.work.write(async (tx) => {
      const id = await this.suppliers.id(tx, importSupplier);
      const begun = await this.repository.begin(tx, id, externalAccountNumber, reason, runId);
      const run = begun ?? (await this.repository.takeOver(tx, id, externalAccountNumber, runId));
      // Another run has ended it since the conflict; then there is nothing left.
      if (run === undefined) throw noAccount(order);
      if (begun === undefined) return run;
      if (externalAccountNumber !== null) {
        const deleted = await this.repository.closeAccounts(tx, run, [externalAccountNumber]);
        if (deleted === 0) throw noAccount(order);
      }
      await this.audit.record(tx, changeOf(order, { run: run.erasure_id, event: 'started', reason }));
      return run;
    });
    const { work, repository, requests, audit, evidence, numbering } = this;
    return new RunningErasure({ work, repository, requests, audit, evidence, numbering }, order, erasure);
  }
}

function noAccount({ importSupplier, externalAccountNumber }: ErasureOrder): CommandError {
  return accountNotFound({ importSupplier, externalAccountNumber: externalAccountNumber ?? '' });
}
