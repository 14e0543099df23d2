import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { ImportRequestsRepository, type RequestCursor } from './import-requests.repository.js';
import type { RequestCounts, RequestFilter, StoredRequest } from './import-requests.types.js';

/** Requests of a page: few enough for constant memory, enough that the queries take no time. */
const PAGE_REQUESTS = 1_000;

/** Answers operators which import requests have stored something. */
@Injectable()
export class ImportRequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: ImportRequestsRepository,
  ) {}

  /**
   * The import requests that stored something, newest first, also those that are undone. A list of any length takes constant memory.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice V7.
   */
  async list(code: string, filter: RequestFilter): Promise<AsyncIterable<StoredRequest>> {
    const id = await this.supplierId(code);
    return this.requests(id, filter);
  }

  /** How many a filter finds. @throws CommandError `supplier_not_found` */
  async count(code: string, filter: RequestFilter): Promise<RequestCounts> {
    const id = await this.supplierId(code);
    return this.work.single((tx) => this.repository.count(tx, id, filter));
  }

  /** Pages of requests, newest first; each is read when the one before is done with. */
  async *pages(
    importSupplierId: number,
    filter: RequestFilter,
    { withUndone, countMax }: { readonly withUndone: boolean; readonly countMax: number },
  ): AsyncGenerator<StoredRequest[]> {
    let last: RequestCursor | undefined;
    do {
      const before = last;
      const page = await this.work.single((tx) =>
        this.repository.list(tx, importSupplierId, filter, withUndone, before, countMax),
      );
      yield page;
      last = page.length >= countMax ? page.at(-1) : undefined;
    } while (last);
  }

  private async *requests(importSupplierId: number, filter: RequestFilter): AsyncGenerator<StoredRequest> {
    const pages = this.pages(importSupplierId, filter, { withUndone: true, countMax: PAGE_REQUESTS });
    for await (const page of pages) yield* page;
  }

  private supplierId(code: string): Promise<number> {
    return this.work.single((tx) => this.suppliers.id(tx, code));
  }
}
