import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { recordedAsKey } from '../auth/recorded-as-key.js';
import { Budget } from '../budget/budget.js';
import { AppError } from '../common/errors.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { EvidenceService } from '../evidence/evidence.service.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { accountText, accountTextWithRows, rowLine } from './account-text.js';
import { ContentsRepository } from './contents.repository.js';
import { ContentsService } from './contents.service.js';
import type { AccountContent, AccountRange, ContentsWanted } from './contents.types.js';
import { SortedLines } from './sorted-lines.js';
import { SECTIONS, type Section } from '../items/items.js';

/** A list ready to be sent. */
export interface ContentsList {
  /** A JSON array; a long one is sent chunk by chunk. */
  readonly body: string | AsyncIterable<string>;
  /** The account number after which the next page begins, when there is one. */
  readonly nextAfter?: string | undefined;
}

/** What an account holds, ready to be sent. */
export interface ContentAnswer {
  readonly body: string | AsyncIterable<string>;
  /** To be called when the answer has been sent, or is not sent any more. */
  readonly dispose: () => void;
}

interface ChunkRange extends AccountRange {
  readonly importSupplierId: number;
  readonly organisationId: string;
  readonly after: string;
  readonly countMax: number;
}

/** A part of a list. */
interface Chunk {
  /** JSON texts of its accounts. */
  readonly accounts: readonly string[];
  /** The chunk after it; undefined at the end of the list. */
  readonly next: ChunkRange | undefined;
}

/** A chunk has about so many rows, judged by the chunk before: it is read in some tenths of a second. */
const CHUNK_ROWS = 10_000;
/** A chunk that turns out to have so many ends with the account that is being read; the next one begins after it. */
const CHUNK_ROWS_MAX = 50_000;
const FIRST_CHUNK_ACCOUNTS = 200;
const CHUNK_ACCOUNTS_MAX = 2_000;

/** The end of a list, whose last line ends as the others do. */
const END = ']\n';

/** Characters of the rows of a section that one answer keeps in memory; the rest is in a temporary file. */
const HELD_ROWS_LENGTH = 64 * 1024;

/** What accounts hold, for import suppliers. It is always read from the primary: a proof must not be older than an answer before it. */
@Injectable()
export class AccountContentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    private readonly contents: ContentsService,
    private readonly repository: ContentsRepository,
    private readonly evidence: EvidenceService,
    private readonly budget: Budget,
  ) {}

  /**
   * What one account holds at one moment, as JSON text.
   *
   * With rows, that the caller is about to see them is recorded first. Many rows are kept in a temporary file while they are
   * sent, so that no connection waits for the client.
   *
   * @throws AppError `account_not_found` when it is not imported, or its supplier is not the caller's; `service_unavailable`
   *   when the temporary files of such answers are too large
   * Source: choices V1, V3, V4, A8, O6.
   */
  async account(caller: Caller, account: AccountRef, hasRows: boolean): Promise<ContentAnswer> {
    const importSupplierId = await this.supplierIds.find(account.importSupplier);
    if (importSupplierId === undefined) throw new AppError('account_not_found');
    const wanted = { importSupplierId, only: account.externalAccountNumber };
    if (!hasRows) return { body: accountText(await this.read(caller, wanted)), dispose: () => undefined };
    const holder = { budget: this.budget, name: caller.organisationId };
    const rows = new Map(SECTIONS.map((name) => [name, new SortedLines(HELD_ROWS_LENGTH, holder)]));
    const dispose = (): void => {
      clear(rows);
    };
    try {
      const content = await this.read(caller, wanted, rows);
      const isRecorded = await this.evidence.recordView({
        viewer: recordedAsKey(caller.apiKeyId),
        action: 'account.rows',
        ...account,
        importSupplierId,
      });
      if (!isRecorded) throw new AppError('account_not_found');
      return { body: accountTextWithRows(content, rows), dispose };
    } catch (error) {
      dispose();
      throw error;
    }
  }

  /**
   * What the imported accounts of a supplier hold, ordered by account number, byte by byte, as JSON text. Each account is from
   * one moment, the list is not. It is read in chunks, so that no connection waits for the client.
   *
   * @throws AppError `not_found` when the supplier is unknown or not granted to the caller; also while the list is sent
   * Source: choices V2 to V4, S5, A8.
   */
  async list({ organisationId }: Caller, wanted: ContentsWanted): Promise<ContentsList> {
    const { importSupplier, limit, after = '' } = wanted;
    const importSupplierId = await this.supplierIds.find(importSupplier);
    if (importSupplierId === undefined) throw new AppError('not_found');
    const range = { importSupplierId, organisationId, after, countMax: FIRST_CHUNK_ACCOUNTS };
    if (limit === undefined) return { body: await this.body(range) };
    const end = await this.work.atSupplier(importSupplierId, (at) =>
      at.single((tx) => this.repository.pageEnd(tx, importSupplierId, organisationId, after, limit)),
    );
    if (!end.is_granted) throw new AppError('not_found');
    if (end.last_number === null) return { body: `[${END}` };
    const through = end.last_number;
    return { body: await this.body({ ...range, through }), nextAfter: end.has_more ? through : undefined };
  }

  /** @param rows where to put the rows, by section */
  private async read(
    { organisationId }: Caller,
    { importSupplierId, only }: { readonly importSupplierId: number; readonly only: string },
    rows?: ReadonlyMap<Section, SortedLines>,
  ): Promise<AccountContent> {
    const [content] = await this.inTurn(importSupplierId, organisationId, async (tx) => {
      if (rows) clear(rows);
      const found: AccountContent[] = [];
      const accounts = this.contents.accounts(tx, importSupplierId, { only, organisationId }, (row) =>
        rows?.get(row.section)?.add(rowLine(row.digest, row.content)),
      );
      for await (const account of accounts) found.push(account);
      return found;
    });
    if (!content) throw new AppError('account_not_found');
    return content;
  }

  private async body(range: ChunkRange): Promise<string | AsyncIterable<string>> {
    const first = await this.chunk(range);
    return first.next ? this.texts(first) : `[${first.accounts.join(',\n')}${END}`;
  }

  /** The next chunk is read while one is sent. */
  private async *texts(first: Chunk): AsyncGenerator<string, void, undefined> {
    let [chunk, separator]: [Chunk | undefined, string] = [first, '['];
    while (chunk) {
      const next: Promise<Chunk> | undefined = chunk.next && this.chunk(chunk.next);
      // It is awaited below, unless nobody wants the rest of the list.
      next?.catch(() => undefined);
      if (chunk.accounts.length > 0) yield separator + chunk.accounts.join(',\n');
      separator = ',\n';
      chunk = await next;
    }
    yield END;
  }

  private chunk(range: ChunkRange): Promise<Chunk> {
    const { importSupplierId, organisationId } = range;
    return this.inTurn(importSupplierId, organisationId, (tx) => this.readChunk(tx, range));
  }

  private async readChunk(tx: Tx, range: ChunkRange): Promise<Chunk> {
    const accounts: string[] = [];
    let [rowCount, after] = [0, range.after];
    for await (const account of this.contents.accounts(tx, range.importSupplierId, range)) {
      accounts.push(accountText(account));
      after = account.externalAccountNumber;
      rowCount += SECTIONS.reduce((count, name) => count + account.sections[name].count, 0);
      if (rowCount >= CHUNK_ROWS_MAX) break;
    }
    const isEnd = rowCount < CHUNK_ROWS_MAX && accounts.length < range.countMax;
    if (isEnd) return { accounts, next: undefined };
    const fitting = Math.floor((CHUNK_ROWS * accounts.length) / Math.max(1, rowCount));
    const countMax = Math.max(1, Math.min(fitting, CHUNK_ACCOUNTS_MAX));
    return { accounts, next: { ...range, after, countMax } };
  }

  private inTurn<T>(
    importSupplierId: number,
    organisationId: string,
    read: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return this.work.atSupplier(importSupplierId, (at) =>
      at.readInTurn(organisationId, () => at.single(read)),
    );
  }
}

function clear(rows: ReadonlyMap<Section, SortedLines>): void {
  for (const lines of rows.values()) lines.clear();
}
