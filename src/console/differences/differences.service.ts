import { Injectable } from '@nestjs/common';
import { TotalsService } from '../../totals/totals.service.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { ControlTotalsRepository } from './control-totals.repository.js';
import type { Differences } from './differences.types.js';

const PAGE_ROWS = 50;

/** Which accounts differ from what they must hold. */
@Injectable()
export class DifferencesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly totals: TotalsService,
    private readonly repository: ControlTotalsRepository,
  ) {}

  /**
   * A page of the accounts that differ, in the order of their numbers, with what is found of each at present.
   *
   * @param after the number after which the page begins; undefined for the first one
   * @throws PageNotFound when the viewer does not see the supplier
   * Source: choices C3, V6.
   */
  async page(viewer: Viewer, code: string, after: string | undefined): Promise<Differences> {
    const supplier = await this.suppliers.find(viewer, code);
    const { id } = supplier;
    const [{ control }, found] = await this.work.atSupplier(id, (at) =>
      at.single(
        async (tx) =>
          [
            await this.totals.totalsOf(tx, id),
            await this.repository.listDiffering(tx, id, after ?? '', PAGE_ROWS + 1),
          ] as const,
      ),
    );
    const accounts = found.slice(0, PAGE_ROWS);
    const next = found.length > PAGE_ROWS ? accounts.at(-1)?.externalAccountNumber : undefined;
    return { supplier, control, accounts, next, isFirst: after === undefined };
  }
}
