import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller.js';
import { Batcher, type SharedQuery } from '../database/batcher.js';
import { ReadUnitOfWork } from '../database/read-unit-of-work.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { GrantCache } from '../import-suppliers/grant.cache.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import type { AccountRef } from './account-ref.js';
import { AccountsRepository } from './accounts.repository.js';
import type { AccountStatusRow, StatusRequest } from './accounts.types.js';

/**
 * Finds the status of accounts; requests for accounts of the same supplier share a query.
 *
 * The standby is asked first where there is one. Of its answers only `imported` counts, because an account stays so: the rest
 * is asked of the primary, so that whoever has seen an import end is not told otherwise.
 *
 * Source: choice O8.
 */
@Injectable()
export class AccountStatusBatcher implements SharedQuery<StatusRequest, AccountStatusRow> {
  readonly batcher: Batcher<StatusRequest, AccountStatusRow>;

  constructor(
    work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    private readonly repository: AccountsRepository,
    private readonly reads: ReadUnitOfWork,
    private readonly grants: GrantCache,
  ) {
    this.batcher = new Batcher(work, this);
  }

  /** @returns nothing when there is no such supplier */
  async find(caller: Caller, account: AccountRef): Promise<AccountStatusRow | undefined> {
    const importSupplierId = await this.supplierIds.find(account.importSupplier);
    if (importSupplierId === undefined) return undefined;
    return this.batcher.enqueue(importSupplierId, {
      caller,
      externalAccountNumber: account.externalAccountNumber,
    });
  }

  /** A status waits for no turn of its organisation. */
  ownerOf(): undefined {
    return undefined;
  }

  async execute(
    tx: Tx,
    importSupplierId: number,
    requests: readonly StatusRequest[],
  ): Promise<AccountStatusRow[]> {
    const imported = this.reads.isUsable ? await this.importedAtStandby(importSupplierId, requests) : NONE;
    if (imported.size === 0) {
      this.reads.count('status', 'primary', requests.length);
      return this.repository.findStatus(tx, importSupplierId, requests);
    }
    const others = requests.filter((request) => !imported.has(request));
    const rows = others.length > 0 ? await this.repository.findStatus(tx, importSupplierId, others) : [];
    this.reads.count('status', 'standby', imported.size);
    this.reads.count('status', 'primary', others.length);
    return requests.flatMap((request) => imported.get(request) ?? rows.splice(0, 1));
  }

  /** The requests that the standby may answer, with its answers. */
  private async importedAtStandby(
    importSupplierId: number,
    requests: readonly StatusRequest[],
  ): Promise<ReadonlyMap<StatusRequest, AccountStatusRow>> {
    const areGranted = await Promise.all(
      requests.map(({ caller }) => this.grants.isGranted(importSupplierId, caller.organisationId)),
    );
    const granted = requests.filter((_request, index) => areGranted[index]);
    if (granted.length === 0) return NONE;
    const rows = await this.reads.single((tx) =>
      this.repository.findStatus(tx, importSupplierId, granted, true),
    );
    const answers = granted.map((request, index) => [request, rows?.[index]] as const);
    return new Map(answers.flatMap(([request, row]) => (row?.state === 'imported' ? [[request, row]] : [])));
  }
}

const NONE: ReadonlyMap<StatusRequest, AccountStatusRow> = new Map();
