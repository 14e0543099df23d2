import { Injectable } from '@nestjs/common';
import { OrganisationsService } from '../../auth/organisations.service.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import type { RequestReader } from '../request-log/requests/request-reader.js';
import { RequestReadersService } from '../request-log/requests/request-readers.service.js';
import type { RequestCursor } from '../request-log/requests/sent-requests.types.js';
import type { SenderCounts, StoredRequest } from '../request-log/requests/stored-requests.types.js';
import type { ChosenRequests, RequestCounts } from './import-requests.types.js';

/** Requests per page: few enough for constant memory, and enough that the number of queries does not matter. */
const PAGE_REQUESTS = 1_000;

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
  async list(code: string, chosen: ChosenRequests): Promise<AsyncIterable<StoredRequest>> {
    const id = await this.supplierId(code);
    return this.requests(id, await this.readerOf(chosen), chosen);
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
    return { all: sum('all'), requests: sum('requests'), rows: sum('rows'), senders };
  }

  /**
   * Pages of requests, newest first. Each page is read after the previous one has been processed.
   *
   * @throws CommandError `organisation_not_found`
   */
  async *pages(
    importSupplierId: number,
    chosen: ChosenRequests,
    paging: { readonly withUndone: boolean; readonly countMax: number },
  ): AsyncGenerator<StoredRequest[]> {
    yield* pagesOf(await this.readerOf(chosen), importSupplierId, chosen, paging);
  }

  private async *requests(
    importSupplierId: number,
    reader: RequestReader,
    chosen: ChosenRequests,
  ): AsyncGenerator<StoredRequest> {
    const paging = { withUndone: true, countMax: PAGE_REQUESTS };
    for await (const page of pagesOf(reader, importSupplierId, chosen, paging)) yield* page;
  }

  private async readerOf({ organisation }: ChosenRequests): Promise<RequestReader> {
    const found = organisation === undefined ? undefined : await this.organisations.find(organisation);
    return this.readers.of(found?.id);
  }

  private supplierId(code: string): Promise<number> {
    return this.work.query((tx) => this.suppliers.id(tx, code));
  }
}

async function* pagesOf(
  reader: RequestReader,
  importSupplierId: number,
  chosen: ChosenRequests,
  { withUndone, countMax }: { readonly withUndone: boolean; readonly countMax: number },
): AsyncGenerator<StoredRequest[]> {
  let last: RequestCursor | undefined;
  do {
    const page = await reader.storedRequests(importSupplierId, chosen, withUndone, last, countMax);
    yield page;
    last = page.length >= countMax ? page.at(-1) : undefined;
  } while (last);
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
