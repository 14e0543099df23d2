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

/** A reader's request. */
export interface WantedChanges {
  readonly importSupplierId: number;
  /** The key of the reader. Its reads wait in the fair queue of this key. */
  readonly keyId: string;
  readonly code: string;
  readonly cursor: string | undefined;
  /** The name of the reader, if it gives one. */
  readonly reader: string | undefined;
  /** How long an empty answer is kept open. */
  readonly waitMs: number;
  /** Aborted when nobody reads the answer any more. */
  readonly gone: AbortSignal;
  readonly holding: Holding;
  /** How many changes of a batch the database can read in time; set once it was too slow. */
  batchMax?: number;
}

/** The most changes of one page, and of one batch. */
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
    // One by one, because each feed may be on a different node.
    for (const { id, code, name, status } of suppliers) {
      const head = await this.work.atSupplier(id, (node) => node.query((tx) => this.repository.head(tx, id)));
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
   * A page, which is one batch, or a stream of lines when `accept` includes NDJSON.
   *
   * @param limit the most changes; by default those of one page, or all in a stream
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
   * The first batch after the cursor. Reading it also validates the cursor. The batch is empty only when no change came in
   * time. If the reader has a name, this records that everything up to the cursor is done.
   *
   * @throws AppError `validation_error` for a cursor of another supplier or beyond the newest change, and for one reader
   *   name too many; `feed_restarted` for a cursor of another epoch; `service_unavailable` when the requests of the key
   *   hold too much
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
   * The lines of a batch and of everything after it, up to the newest change at the time of reading. Each batch is read
   * when the one before is on its way. The stream ends before the changes of another epoch.
   *
   * @param limit the most changes, including those of the first batch
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

  /** {@link read}, and say what is wrong with the cursor when there is no valid batch. */
  private async after(wanted: WantedChanges, cursor: Cursor | undefined, limit: number): Promise<Batch> {
    const batch = await this.read(wanted, cursor, limit);
    if (batch && batch.sequence <= batch.lastSequence) return batch;
    // Either a fail-over has lost numbers, and numbering begins a new epoch, or nothing was numbered yet.
    await this.numbering.numberAll(wanted.importSupplierId);
    const again = await this.read(wanted, cursor, limit);
    if (again && again.sequence <= again.lastSequence) return again;
    if (again || !cursor) throw wrongCursor('The cursor is beyond the newest change.');
    throw await this.refusalOf(wanted, cursor);
  }

  /**
   * Read a batch. If the database is too slow, read it again with a quarter of its changes, and keep that size for the
   * batches that follow.
   *
   * @param hasBegun whether the answer has begun: then it can no longer be refused
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
    const batch = this.work.atSupplier(importSupplierId, (node) =>
      node.readInFairQueue(keyId, async () => {
        // A batch counts with the largest size while it is read.
        if (hasBegun) holding.resize(PAGE_BYTES_MAX);
        else holding.grow(PAGE_BYTES_MAX);
        let batch: Batch | undefined;
        try {
          batch = await node.query((tx) => this.repository.read(tx, importSupplierId, from, limit, source));
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

  /** The error for a cursor that is not of the current epoch. */
  private async refusalOf(
    { importSupplierId }: WantedChanges,
    { epoch, sequence }: Cursor,
  ): Promise<AppError> {
    const epochs = await this.work.atSupplier(importSupplierId, (node) =>
      node.query((tx) => this.repository.epochs(tx, importSupplierId)),
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

/** A page with as many of the changes as fit. */
function pageOf({ changes, sequence, epoch, lastSequence }: Batch): string {
  const fitting = changes.slice(0, countWithin(PAGE_BYTES_MAX, changes));
  const last = sequence - changes.length + fitting.length;
  const cursor = formatCursor({ epoch, sequence: last });
  return `{"changes":[${fitting.join(',')}],"cursor":"${cursor}","more":${last < lastSequence}}`;
}

function bytesOf(batch: Batch | undefined): number {
  return batch?.changes.reduce((sum, change) => sum + change.length, 0) ?? 0;
}

/** With `q=0` a client lists what it does not accept. */
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
