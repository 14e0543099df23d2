import { NotFoundError, type ContentOptions, type DataImportClient } from '@data-import/client';
import type { AccountContent, ContentSource } from './source.js';

/** Accounts of one page of the list: a page is an answer, and the service reads it at one moment. */
const PAGE_SIZE = 1_000;

/** The service, asked with the client, which repeats what may succeed later and continues a list that breaks off. */
export class ClientSource implements ContentSource {
  constructor(
    private readonly client: DataImportClient,
    private readonly supplier: string,
  ) {}

  list(after: string | undefined, signal: AbortSignal): AsyncIterable<AccountContent> {
    const from = after === undefined ? {} : { after };
    return this.client.listAccountContents(this.supplier, { ...from, pageSize: PAGE_SIZE, signal });
  }

  listDigests(after: string, signal: AbortSignal): AsyncIterable<AccountContent> {
    const options = { after, pageSize: PAGE_SIZE, rowDigests: true, signal };
    return this.client.listAccountContents(this.supplier, options);
  }

  rows(account: string, signal: AbortSignal): Promise<AccountContent | undefined> {
    return this.account(account, { rows: true, signal });
  }

  digests(account: string, signal: AbortSignal): Promise<AccountContent | undefined> {
    return this.account(account, { rowDigests: true, signal });
  }

  private async account(account: string, options: ContentOptions): Promise<AccountContent | undefined> {
    try {
      return await this.client.getAccountContent(this.supplier, account, options);
    } catch (error) {
      if (error instanceof NotFoundError && error.code === 'account_not_found') return undefined;
      throw error;
    }
  }
}
