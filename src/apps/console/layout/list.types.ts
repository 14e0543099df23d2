import type { DownloadAction } from '../../../infrastructure/audit/evidence/evidence.types.js';
import type { Cell } from '../common/csv.js';
import type { ListPage } from '../common/cursor.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** A list of a supplier, as its page and its CSV file read it (lists/lists.service.ts). */
export interface SupplierList<Row, Filter> {
  readonly file: ListFile<Row>;
  /**
   * Read the filters of an address.
   *
   * @throws PageNotFound when one has an invalid value
   */
  filterOf(request: SupplierRequest): Filter | Promise<Filter>;
  /** Read at most `countMax` rows after a position, or the first rows. */
  read(
    request: SupplierRequest,
    filter: Filter,
    after: string | undefined,
    countMax: number,
  ): Promise<readonly Row[]>;
  /** The position of a row, which is the parameter of the page that begins after it. */
  positionOf(row: Row): string;
}

/** The CSV file of a list, and what is recorded when it is downloaded. */
export interface ListFile<Row> {
  readonly name: string;
  readonly recordedAs: DownloadAction;
  readonly columns: readonly string[];
  readonly cellsOf: (row: Row) => readonly Cell[];
}

/** The view model of the page of a list. */
export interface ListView<Row, Filter> extends SupplierRequest {
  readonly filter: Filter;
  readonly list: ListPage<Row>;
}

/** The columns of a file that has members of its rows, whose names become snake case. */
export function members<Row>(
  ...names: readonly (keyof Row & string)[]
): Pick<ListFile<Row>, 'columns' | 'cellsOf'> {
  return {
    columns: names.map((name) => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)),
    cellsOf: (row) => names.map((name) => row[name] as Cell),
  };
}
