import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { PlatformCaller } from '../../auth/caller.js';
import { PAGE_BYTES_MAX, type Holding } from '../../infrastructure/limits/budget.js';
import { countWithin } from '../../infrastructure/database/count-within.js';
import { AppError, fieldError, validationError } from '../../infrastructure/errors/errors.js';
import { QUERY_CANCELED, sqlState } from '../../infrastructure/errors/sql-state.js';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { FeedReads } from '../../infrastructure/audit/evidence/feed-reads.js';
import { ImportSupplier } from '../../import-suppliers/import-supplier.entity.js';
import { SupplierIds } from '../../import-suppliers/supplier-ids.js';
import { ChangesRepository } from './changes.repository.js';
import type { Batch, Cursor } from './changes.types.js';
import { formatCursor, parseCursor } from './cursor.js';
import { FeedWatch } from './feed-watch.js';
import { ReadersService } from './readers.service.js';

/** A supplier whose changes can be read. */
export interface PlatformSupplier extends Readonly<Pick<ImportSupplier, 'code' | 'name' | 'status'>> {
  /** Number of the newest change; 0 before the first one. */
  readonly sequence: number;
}

/** What a reader wants. */
export interface WantedChanges {
  readonly importSupplierId: number;
  /** Of the reader, whose turn its reads wait for. */
  readonly keyId: string;
  readonly code: string;
  readonly cursor: string | undefined;
  /** The name under which it reads. */
  readonly reader: string | undefined;
  /** How long an empty answer is kept open. */
  readonly waitMs: number;
  /** Fires when nobody reads the answer any more. */
  readonly gone: AbortSignal;
  /** What the request has in hand. */
  readonly holding: Holding;
  /** Changes of a batch that the database can read in time, once it was too slow. */
  batchMax?: number;
}

/** Changes of one page, and of one batch. */
const PAGE_CHANGES = 1_000;

/** An answer ready to be sent. */
export interface ChangesAnswer {
  readonly body: string | AsyncIterable<string>;
  readonly headers: Readonly<Record<string, string>>;
}

const NDJSON = 'application/x-ndjson';

/** Reads the feed of a supplier. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: ChangesRepository,
    private readonly numbering: NumberingService,
    private readonly watch: FeedWatch,
    private readonly supplierIds: SupplierIds,
    private readonly feedReads: FeedReads,
    private readonly readers: ReadersService,
    @InjectRepository(ImportSupplier) private readonly suppliers: Repository<ImportSupplier>,
  ) {}

  /**
   * The suppliers whose changes a key of the platform may read, ordered by code.
   *
   * Source: choices E1, E5.
   */
  async listSuppliers({ importSupplierId: only }: PlatformCaller): Promise<PlatformSupplier[]> {
    const suppliers = await this.work.query((tx) =>
      tx
        .withRepository(this.suppliers)
        .find({ ...(only !== null && { where: { id: only } }), order: { code: 'ASC' } }),
    );
    const listed: PlatformSupplier[] = [];
    // One by one, because each feed may be on a node of its own.
    for (const { id, code, name, status } of suppliers) {
      const head = await this.work.atSupplier(id, (at) => at.query((tx) => this.repository.head(tx, id)));
      listed.push({ code, name, status, sequence: head?.lastSequence ?? 0 });
    }
    return listed;
  }

  /**
   * The id of a supplier that a key may read.
   *
   * @throws AppError `not_found`
   * Source: choice E5.
   */
  async supplierId({ importSupplierId: only }: PlatformCaller, code: string): Promise<number> {
    const id = await this.supplierIds.find(code);
    if (id === undefined || (only !== null && only !== id)) throw new AppError('not_found');
    return id;
  }

  /**
   * A page, which is one batch, or where `accept` has NDJSON a stream of lines.
   *
   * @param limit how many changes at most; by default those of a page, and all of a stream
   * @throws AppError as {@link first}
   * Source: choice E1.
   */
  async answer(wanted: WantedChanges, accept: string | undefined, limit?: number): Promise<ChangesAnswer> {
    const first = await this.first(wanted, Math.min(limit ?? PAGE_CHANGES, PAGE_CHANGES));
    if (!isStream(accept)) {
      return { body: pageOf(first), headers: headersOf('application/json; charset=utf-8', first.epoch) };
    }
    const body = this.lines(wanted, first, limit ?? Infinity);
    return { body, headers: headersOf(NDJSON, first.epoch) };
  }

  /**
   * The first batch after the cursor, which is judged by it; an empty one only when nothing came in time. That everything up to the cursor is
   * done is recorded, if the reader has a name.
   *
   * @throws AppError `validation_error` for a cursor of another supplier, or beyond the newest change;
   *   for the name of one reader too many; `feed_restarted` for a cursor of another epoch; `service_unavailable` when the key has too much in hand
   * Source: choices E1, E6, E7, T18.
   */
  private async first(wanted: WantedChanges, limit: number): Promise<Batch> {
    const { importSupplierId, keyId, reader } = wanted;
    const cursor = wanted.cursor === undefined ? undefined : parseCursor(wanted.cursor);
    const batch = await this.after(wanted, cursor, limit);
    await this.feedReads.record(keyId, wanted.code);
    if (reader !== undefined)
      await this.readers.record(importSupplierId, { keyId, name: reader, sequence: cursor?.sequence });
    if (batch.changes.length > 0 || wanted.waitMs === 0) return batch;
    const { epoch, sequence } = batch;
    wanted.holding.add('feed_waits');
    await this.watch.wait(wanted.importSupplierId, sequence, wanted.waitMs, wanted.gone);
    wanted.holding.remove('feed_waits');
    return wanted.gone.aborted ? batch : this.after(wanted, { epoch, sequence }, limit);
  }

  /**
   * Lines of everything after a batch, up to what is the newest when it is read, each batch when the one before is on its way. It ends
   * before the changes of another epoch.
   *
   * @param limit how many changes at most, those of the first batch included
   */
  private async *lines(wanted: WantedChanges, first: Batch, limit: number): AsyncGenerator<string> {
    let left = limit;
    let latest: Batch | undefined = first;
    while (latest && latest.changes.length > 0) {
      yield `${latest.changes.join('\n')}\n`;
      const { epoch, sequence, lastSequence }: Batch = latest;
      left -= latest.changes.length;
      if (left <= 0 || sequence >= lastSequence) return;
      const sent = latest;
      latest = await this.read(wanted, { epoch, sequence }, Math.min(left, PAGE_CHANGES), true);
      wanted.holding.resize(-bytesOf(sent));
    }
  }

  /** {@link read}, and judge the cursor when that has no answer. */
  private async after(wanted: WantedChanges, cursor: Cursor | undefined, limit: number): Promise<Batch> {
    const batch = await this.read(wanted, cursor, limit);
    if (batch && batch.sequence <= batch.lastSequence) return batch;
    // A fail-over may have lost numbers, which begins an epoch; or nothing was numbered yet.
    await this.numbering.numberAll(wanted.importSupplierId);
    const again = await this.read(wanted, cursor, limit);
    if (again && again.sequence <= again.lastSequence) return again;
    if (again || !cursor) throw wrongCursor('The cursor is beyond the newest change.');
    throw await this.refusalOf(wanted, cursor);
  }

  /**
   * A batch. One that the database does not read in time is asked for again with a quarter of its changes, and so are those that follow.
   *
   * @param hasBegun whether an answer has: then it is not refused
   */
  private read(
    wanted: WantedChanges,
    cursor: Cursor | undefined,
    changesMax: number,
    hasBegun = false,
  ): Promise<Batch | undefined> {
    const { importSupplierId, keyId, code, holding, batchMax = changesMax } = wanted;
    const limit = Math.min(changesMax, batchMax);
    const from = { epoch: cursor?.epoch, sequence: cursor?.sequence ?? 0 };
    const source = `/v1/platform/import-suppliers/${encodeURIComponent(code)}/changes/`;
    const batch = this.work.atSupplier(importSupplierId, (at) =>
      at.readInFairQueue(keyId, async () => {
        // It counts as the largest while it is read.
        if (hasBegun) holding.resize(PAGE_BYTES_MAX);
        else holding.grow(PAGE_BYTES_MAX);
        let batch: Batch | undefined;
        try {
          batch = await at.query((tx) => this.repository.read(tx, importSupplierId, from, limit, source));
          return batch;
        } finally {
          holding.resize(bytesOf(batch) - PAGE_BYTES_MAX);
        }
      }),
    );
    return batch.catch((error: unknown) => {
      if (limit === 1 || sqlState(error) !== QUERY_CANCELED) throw error;
      wanted.batchMax = Math.ceil(limit / 4);
      return this.read(wanted, cursor, changesMax, hasBegun);
    });
  }

  /** Why a cursor of another epoch than the present one is refused. */
  private async refusalOf(
    { importSupplierId }: WantedChanges,
    { epoch, sequence }: Cursor,
  ): Promise<AppError> {
    const epochs = await this.work.atSupplier(importSupplierId, (at) =>
      at.query((tx) => this.repository.epochs(tx, importSupplierId)),
    );
    const present = epochs.at(-1);
    if (!present) throw new Error('The feed has no epoch.');
    const known = epochs.find(({ id }) => id === epoch);
    if (!known && (await this.work.query((tx) => this.repository.isEpoch(tx, epoch)))) {
      return wrongCursor('The cursor is that of another import supplier.');
    }
    const later = epochs.filter(({ number }) => known && number > known.number);
    const common = known ? Math.min(sequence, ...later.map(({ continuesAfter }) => continuesAfter)) : 0;
    const cursor = formatCursor({ epoch: present.id, sequence: common });
    return new AppError('feed_restarted', { extra: { cursor } });
  }
}

/** As many of the changes as have room in a page. */
function pageOf({ changes, sequence, epoch, lastSequence }: Batch): string {
  const shown = changes.slice(0, countWithin(PAGE_BYTES_MAX, changes));
  const last = sequence - changes.length + shown.length;
  const cursor = formatCursor({ epoch, sequence: last });
  return `{"changes":[${shown.join(',')}],"cursor":"${cursor}","more":${last < lastSequence}}`;
}

function bytesOf(batch: Batch | undefined): number {
  return batch?.changes.reduce((sum, change) => sum + change.length, 0) ?? 0;
}

/** With the quality 0 a client says what it does not accept. */
function isStream(accept = ''): boolean {
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.toLowerCase().split(/\s*;\s*/);
    return type.trim() === NDJSON && !parameters.some((one) => /^q=0(\.0*)?\s*$/.test(one));
  });
}

function headersOf(contentType: string, epoch: string): Record<string, string> {
  return { 'content-type': contentType, 'feed-epoch': epoch, vary: 'Accept' };
}

function wrongCursor(detail: string): AppError {
  return validationError([fieldError('invalid_cursor', 'cursor', detail)]);
}
