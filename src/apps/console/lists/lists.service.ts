import { Injectable } from '@nestjs/common';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { csvFile, type CsvFile } from '../common/csv-answer.js';
import { pageAfter } from '../common/page-after.js';
import type { ListView, SupplierList } from '../layout/list.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** Reads the lists of a supplier, a page at a time or as a file. */
@Injectable()
export class ListsService {
  constructor(private readonly evidence: EvidenceService) {}

  /**
   * The page of a list that an address requests.
   *
   * @throws PageNotFound when a filter or the start of the page is invalid
   * Source: choices C3, C10.
   */
  async page<Row, Filter>(
    list: SupplierList<Row, Filter>,
    request: SupplierRequest,
  ): Promise<ListView<Row, Filter>> {
    const filter = await list.filterOf(request);
    const page = await pageAfter(
      request.query,
      (after, countMax) => list.read(request, filter, after, countMax),
      (row) => list.positionOf(row),
    );
    return { ...request, filter, list: page };
  }

  /**
   * All rows of a list as a CSV file in constant memory. The download is recorded first.
   *
   * @throws PageNotFound as {@link page}
   * Source: choices C3, C10.
   */
  async file<Row, Filter>(list: SupplierList<Row, Filter>, request: SupplierRequest): Promise<CsvFile> {
    const { name, recordedAs, columns, cellsOf } = list.file;
    const filter = await list.filterOf(request);
    await this.evidence.recordDownload(recordedAs, request.user, request.supplier.code);
    return csvFile<Row>(name, columns, cellsOf, (last, countMax) =>
      list.read(request, filter, last && list.positionOf(last), countMax),
    );
  }
}
