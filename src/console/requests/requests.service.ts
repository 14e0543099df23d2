import { Injectable } from '@nestjs/common';
import type { RequestReader } from '../../sent-requests/request-reader.js';
import { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { organisationOf, type Viewer } from '../viewers/viewer.js';
import { newestOf } from './newest.js';
import type { ListedRequest, RequestList } from './requests.types.js';

/** Requests that the page lists. */
const LISTED_MAX = 100;

/** The import requests as they arrive. */
@Injectable()
export class RequestsService {
  constructor(
    private readonly suppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
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
    const reader = await this.readers.of(organisationOf(viewer));
    return { suppliers, chosen: code, requests: await newestOfAll(reader, wanted) };
  }
}

/** Of a further supplier only what is newer than the last that is listed so far is read. */
async function newestOfAll(
  reader: RequestReader,
  suppliers: readonly ViewedSupplier[],
): Promise<ListedRequest[]> {
  let newest: ListedRequest[] = [];
  for (const supplier of suppliers) {
    const since = newest.length < LISTED_MAX ? undefined : newest.at(-1)?.at;
    const own = await reader.newest(supplier.id, since, LISTED_MAX);
    newest = newestOf(
      newest,
      own.map((request) => ({ ...request, supplier })),
      LISTED_MAX,
    );
  }
  return newest;
}
