import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SendersService } from '../viewers/senders.service.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { newestOf } from './newest.js';
import { RequestsRepository } from './requests.repository.js';
import type { RecentRequest, RequestList } from './requests.types.js';

/** Requests that the page lists. */
const LISTED_MAX = 100;

type OfSupplier = RecentRequest & { readonly supplier: ViewedSupplier };

/** The import requests as they arrive. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly senders: SendersService,
    private readonly repository: RequestsRepository,
  ) {}

  /**
   * The last 100 import requests that stored something or were refused, of one supplier or of all that the viewer sees.
   *
   * @param code of a supplier; undefined for all
   * @throws PageNotFound when the viewer does not see the supplier
   * Source: choices C2, C3.
   */
  async list(viewer: Viewer, code: string | undefined): Promise<RequestList> {
    const suppliers = await this.suppliers.list(viewer);
    const wanted = code === undefined ? suppliers : [await this.suppliers.find(viewer, code)];
    const newest = await this.newest(wanted);
    const keys = newest.map(({ apiKeyId }) => apiKeyId);
    const senders = await this.senders.list(viewer, keys);
    const requests = newest.map((request) => ({ ...request, sender: senders.find(request.apiKeyId) }));
    return { suppliers, chosen: code, requests };
  }

  /** Of a further supplier only what is newer than the last that is listed so far is read. */
  private async newest(suppliers: readonly ViewedSupplier[]): Promise<OfSupplier[]> {
    let newest: OfSupplier[] = [];
    for (const supplier of suppliers) {
      const since = newest.length < LISTED_MAX ? undefined : newest.at(-1)?.at;
      const own = await this.work.atSupplier(supplier.id, () =>
        this.work.single((tx) => this.repository.newest(tx, supplier.id, since, LISTED_MAX)),
      );
      newest = newestOf(
        newest,
        own.map((request) => ({ ...request, supplier })),
        LISTED_MAX,
      );
    }
    return newest;
  }
}
