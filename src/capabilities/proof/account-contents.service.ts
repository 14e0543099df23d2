import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../../ingest/account-ref.js';
import type { Caller } from '../../auth/caller.js';
import { recordedAsKey } from '../../auth/recorded-as-key.js';
import type { Holding } from '../../infrastructure/limits/budget.js';
import { AppError } from '../../infrastructure/errors/errors.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../infrastructure/audit/evidence/evidence.service.js';
import { SupplierIds } from '../../import-suppliers/supplier-ids.js';
import { clear, takeDigests } from './account-reading.js';
import { accountText, accountTexts, rowLine } from './account-text.js';
import { ProofRepository } from './proof.repository.js';
import type { AccountContent, AccountRange, ContentsWanted, ContentWanted, RowLines } from './proof.types.js';
import { SortedLines } from './sorted-lines.js';
import { SECTIONS } from '../../ingest/kinds/items.js';

/** The content of an account, ready to be sent. */
export interface ContentAnswer {
  readonly body: string | AsyncIterable<string>;
  /** Call it when the answer has been sent or given up. */
  readonly dispose: () => void;
}

/** A list ready to be sent, as a JSON array. A long list is sent chunk by chunk. */
export interface ContentsList extends ContentAnswer {
  /** The account number after which the next page begins, when there is one. */
  readonly nextAfter?: string | undefined;
}

interface ChunkRange extends AccountRange {
  readonly importSupplierId: number;
  readonly organisationId: string;
  readonly after: string;
  readonly countMax: number;
  /** Keeps the row digests that are listed; undefined when they are not wanted. */
  readonly kept: KeptLines | undefined;
}

/** A part of a list. */
interface Chunk {
  /** JSON texts of its accounts. */
  readonly accounts: readonly string[];
  /** The account after them, when its digests are too long for one string. */
  readonly large?: { readonly account: AccountContent; readonly digests: RowLines } | undefined;
  /** The next chunk; undefined at the end of the list. */
  readonly next: ChunkRange | undefined;
}

/** About how many rows a chunk has, estimated by the chunk before. This many are read in a few tenths of a second. */
const CHUNK_ROWS = 10_000;
/** A chunk that reaches this many rows ends with the account that is being read. The next chunk begins after it. */
const CHUNK_ROWS_MAX = 25_000;
const FIRST_CHUNK_ACCOUNTS = 200;
const CHUNK_ACCOUNTS_MAX = 2_000;

/** The end of a list. Its last line ends with a line feed, as all lines do. */
const END = ']\n';

/** Characters of a section's rows, or of their digests, that an answer keeps in memory. The rest is in a temporary file. */
const HELD_ROWS_LENGTH = 64 * 1024;

/** Lines that an answer keeps until they are sent. */
class KeptLines {
  private readonly all = new Set<RowLines>();
  private isOver = false;

  /** @returns the digests of an account's rows, to be sent after the next account was read */
  take(account: AccountContent): RowLines {
    const digests = this.add(takeDigests(account));
    for (const ofSection of digests.values()) ofSection.limit(HELD_ROWS_LENGTH);
    return digests;
  }

  add(lines: RowLines): RowLines {
    this.all.add(lines);
    // The client left while this chunk was read, so nobody will send it.
    if (this.isOver) this.remove(lines);
    return lines;
  }

  remove(lines: RowLines): void {
    clear(lines);
    this.all.delete(lines);
  }

  readonly dispose = (): void => {
    this.isOver = true;
    for (const lines of this.all) this.remove(lines);
  };
}

/**
 * The content of accounts, for import suppliers. It is always read from the primary, because a proof must not be older than
 * an earlier answer.
 */
@Injectable()
export class AccountContentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    private readonly repository: ProofRepository,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * The content of one account, from one snapshot, as JSON text.
   *
   * If rows are requested, a view of the account is recorded first. Many rows, and many digests, are kept in a temporary
   * file while they are sent, so that no database connection waits for the client.
   *
   * @throws AppError `account_not_found` when it is not imported, or its supplier is not the caller's;
   *   `service_unavailable` when it needs a temporary file and its organisation has too many of them
   * Source: choices V1, V3, V4, A8, O6, T18.
   */
  async account(caller: Caller, account: AccountRef, wanted: ContentWanted): Promise<ContentAnswer> {
    const importSupplierId = await this.supplierIds.find(account.importSupplier);
    if (importSupplierId === undefined) throw new AppError('account_not_found');
    const kept = new KeptLines();
    try {
      const only = { importSupplierId, number: account.externalAccountNumber };
      const { content, rows, digests } = await this.read(caller, only, { ...wanted, kept });
      if (rows) await this.record(caller, account, importSupplierId);
      const isText = rows === undefined && digests === undefined;
      const body = isText ? accountText(content) : accountTexts(content, { rows, digests });
      return { body, dispose: kept.dispose };
    } catch (error) {
      kept.dispose();
      throw error;
    }
  }

  /**
   * The content of the imported accounts of a supplier, as JSON text, ordered bytewise by account number. Each account is
   * from one snapshot; the list is not. It is read in chunks, so that no database connection waits for the client.
   *
   * @throws AppError `not_found` when the supplier is unknown or not granted to the caller; also while the list is sent
   * Source: choices V2 to V4, S5, A8.
   */
  async list({ organisationId }: Caller, wanted: ContentsWanted): Promise<ContentsList> {
    const { importSupplier, limit, after = '', hasRowDigests, holding } = wanted;
    const importSupplierId = await this.supplierIds.find(importSupplier);
    if (importSupplierId === undefined) throw new AppError('not_found');
    const kept = hasRowDigests ? new KeptLines() : undefined;
    const dispose = kept?.dispose ?? ((): void => undefined);
    const countMax = FIRST_CHUNK_ACCOUNTS;
    const range = { importSupplierId, organisationId, after, countMax, kept };
    if (limit === undefined) return { body: await this.body(range, holding), dispose };
    const end = await this.work.atSupplier(importSupplierId, (node) =>
      node.query((tx) => this.repository.pageEnd(tx, importSupplierId, organisationId, after, limit)),
    );
    if (!end.is_granted) throw new AppError('not_found');
    if (end.last_number === null) return { body: `[${END}`, dispose };
    const through = end.last_number;
    const body = await this.body({ ...range, through }, holding);
    return { body, nextAfter: end.has_more ? through : undefined, dispose };
  }

  /** Record that the caller sees the rows of an account. */
  private async record(caller: Caller, account: AccountRef, importSupplierId: number): Promise<void> {
    const isRecorded = await this.evidence.recordView({
      viewer: recordedAsKey(caller.apiKeyId),
      action: 'account.rows',
      ...account,
      importSupplierId,
    });
    if (!isRecorded) throw new AppError('account_not_found');
  }

  private async read(
    { organisationId }: Caller,
    { importSupplierId, number }: { readonly importSupplierId: number; readonly number: string },
    { hasRows, hasRowDigests, holding, kept }: ContentWanted & { readonly kept: KeptLines },
  ): Promise<{ content: AccountContent; rows: RowLines | undefined; digests: RowLines | undefined }> {
    const beforeFile = (): void => {
      holding.add('spooled');
    };
    const rows = hasRows
      ? kept.add(new Map(SECTIONS.map((name) => [name, new SortedLines(HELD_ROWS_LENGTH, beforeFile)])))
      : undefined;
    let digests: RowLines | undefined;
    const [content] = await this.inFairQueue(importSupplierId, organisationId, async (tx) => {
      if (rows) clear(rows);
      const found: AccountContent[] = [];
      const range = { only: number, organisationId, beforeFile };
      const accounts = this.repository.accounts(tx, importSupplierId, range, (row) =>
        rows?.get(row.section)?.add(rowLine(row.digest, row.content)),
      );
      for await (const account of accounts) {
        if (hasRowDigests) digests = kept.take(account);
        found.push(account);
      }
      return found;
    });
    if (!content) throw new AppError('account_not_found');
    return { content, rows, digests };
  }

  private async body(range: ChunkRange, holding: Holding): Promise<string | AsyncIterable<string>> {
    let hasBegun = false;
    const beforeFile = (): void => {
      holding.add('spooled', hasBegun);
    };
    const first = await this.chunk({ ...range, beforeFile });
    hasBegun = true;
    return first.next ? this.texts(first, range.kept) : `[${first.accounts.join(',\n')}${END}`;
  }

  /** Reads the next chunk while one is sent. */
  private async *texts(first: Chunk, kept: KeptLines | undefined): AsyncGenerator<string, void, undefined> {
    let [chunk, separator]: [Chunk | undefined, string] = [first, '['];
    while (chunk) {
      const next: Promise<Chunk> | undefined = chunk.next && this.chunk(chunk.next);
      // Awaited below, unless the client does not want the rest of the list.
      next?.catch(() => undefined);
      if (chunk.accounts.length > 0) {
        yield separator + chunk.accounts.join(',\n');
        separator = ',\n';
      }
      if (chunk.large) {
        const { account, digests } = chunk.large;
        yield separator;
        yield* accountTexts(account, { digests });
        kept?.remove(digests);
        separator = ',\n';
      }
      chunk = await next;
    }
    yield END;
  }

  private chunk(range: ChunkRange): Promise<Chunk> {
    const { importSupplierId, organisationId } = range;
    return this.inFairQueue(importSupplierId, organisationId, (tx) => this.readChunk(tx, range));
  }

  private async readChunk(tx: Tx, range: ChunkRange): Promise<Chunk> {
    const { kept } = range;
    const accounts: string[] = [];
    let [rowCount, after, large]: [number, string, Chunk['large']] = [0, range.after, undefined];
    for await (const account of this.repository.accounts(tx, range.importSupplierId, range)) {
      after = account.externalAccountNumber;
      rowCount += SECTIONS.reduce((count, name) => count + account.sections[name].count, 0);
      const isFull = rowCount >= CHUNK_ROWS_MAX;
      if (kept && isFull) large = { account, digests: kept.take(account) };
      else accounts.push(kept ? await textWithDigests(account) : accountText(account));
      if (isFull) break;
    }
    const count = accounts.length + (large ? 1 : 0);
    if (rowCount < CHUNK_ROWS_MAX && count < range.countMax) return { accounts, next: undefined };
    const fitting = Math.floor((CHUNK_ROWS * count) / Math.max(1, rowCount));
    const countMax = Math.max(1, Math.min(fitting, CHUNK_ACCOUNTS_MAX));
    return { accounts, large, next: { ...range, after, countMax } };
  }

  private inFairQueue<T>(
    importSupplierId: number,
    organisationId: string,
    read: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return this.work.atSupplier(importSupplierId, (node) =>
      node.readInFairQueue(organisationId, () => node.query(read)),
    );
  }
}

async function textWithDigests(account: AccountContent): Promise<string> {
  let text = '';
  for await (const piece of accountTexts(account, { digests: account.rowDigests })) text += piece;
  return text;
}
