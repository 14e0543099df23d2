import { Injectable } from '@nestjs/common';
import { OrganisationsService } from '../../auth/organisations.service.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { inPages, inRows } from '../../infrastructure/database/in-pages.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import type { RequestReader } from '../request-log/requests/request-reader.js';
import { RequestReadersService } from '../request-log/requests/request-readers.service.js';
import type {
  ImportRun,
  SenderCounts,
  StoredRequest,
} from '../request-log/requests/stored-requests.types.js';
import type { ChosenRequests, RequestCounts } from './import-requests.types.js';

/** Requests or runs per page: few enough for constant memory, and enough that the number of queries does not matter. */
const PAGE_ROWS = 1_000;

/** Shows operators which import requests have stored something. */
@Injectable()
export class ImportRequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly organisations: OrganisationsService,
    private readonly readers: RequestReadersService,
  ) {}

  /**
   * The import requests that stored something, including undone ones, newest first. A list of any length takes constant
   * memory.
   *
   * @throws CommandError `supplier_not_found`, `organisation_not_found`
   * Source: choice V7.
   */
  async *list(code: string, chosen: ChosenRequests): AsyncGenerator<StoredRequest> {
    const id = await this.supplierId(code);
    const pages = this.pages(id, chosen, { withUndone: true, countMax: PAGE_ROWS });
    for await (const page of pages) yield* page;
  }

  /**
   * How many requests would be undone. They must be of one organisation, because clients of several organisations may use
   * the same ids.
   *
   * @throws CommandError `supplier_not_found`, `organisation_not_found`, `several_organisations`
   * Source: choice V7.
   */
  async countToUndo(code: string, chosen: ChosenRequests): Promise<RequestCounts> {
    const id = await this.supplierId(code);
    const counts = await (await this.readerOf(chosen)).countStoredRequests(id, chosen);
    const senders = counts.filter(({ requests }) => requests > 0);
    if (new Set(senders.map(({ sender }) => sender?.organisationId)).size > 1)
      throw severalOrganisations(senders);
    const sum = (name: 'all' | 'requests' | 'rows'): number =>
      counts.reduce((total, count) => total + count[name], 0);
    const isPaused = (await this.suppliers.show(code)).status === 'paused';
    return { all: sum('all'), requests: sum('requests'), rows: sum('rows'), isPaused, senders };
  }

  /**
   * The runs of the loader that sent import requests, and the requests of no run as one for each organisation. The run with the newest
   * request comes first.
   *
   * @throws CommandError `supplier_not_found`, `organisation_not_found`
   * Source: choice V7.
   */
  async *runs(code: string, chosen: ChosenRequests): AsyncGenerator<ImportRun> {
    const id = await this.supplierId(code);
    const reader = await this.readerOf(chosen);
    yield* inRows<ImportRun>(PAGE_ROWS, (last) => reader.runs(id, chosen, last, PAGE_ROWS));
  }

  /**
   * Pages of requests, newest first. Each page is read after the previous one has been processed.
   *
   * @throws CommandError `organisation_not_found`
   */
  async *pages(
    importSupplierId: number,
    chosen: ChosenRequests,
    { withUndone, countMax }: { readonly withUndone: boolean; readonly countMax: number },
  ): AsyncGenerator<readonly StoredRequest[]> {
    const reader = await this.readerOf(chosen);
    yield* inPages<StoredRequest>(countMax, (last) =>
      reader.storedRequests(importSupplierId, chosen, withUndone, last, countMax),
    );
  }

  private async readerOf({ organisation }: ChosenRequests): Promise<RequestReader> {
    const found = organisation === undefined ? undefined : await this.organisations.find(organisation);
    return this.readers.of(found?.id);
  }

  private supplierId(code: string): Promise<number> {
    return this.work.query((tx) => this.suppliers.id(tx, code));
  }
}

function severalOrganisations(senders: readonly SenderCounts[]): CommandError {
  return new CommandError(
    'several_organisations',
    `These import requests are of several organisations: ${describeSenders(senders)}. Choose one with --organisation.`,
  );
}

/** The senders of import requests, with the number of requests and rows of each. */
export function describeSenders(senders: readonly SenderCounts[]): string {
  return senders
    .map(({ sender, apiKeyId, requests, rows }) => {
      const owner = sender ? `${sender.organisation}, key ${sender.label}` : 'unknown';
      return `${owner} (${apiKeyId}): ${requests} requests, ${rows} rows`;
    })
    .join('; ');
}
