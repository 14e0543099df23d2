import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EvidenceRepository } from './evidence.repository.js';

/** Between two writes of the reads with one key of one supplier. */
const WRITE_INTERVAL_MS = 60_000;

/** The reads of a minute. */
interface CountedReads {
  readonly viewer: string;
  readonly importSupplier: string;
  /** Those that are not written yet. */
  count: number;
  /** Ends when the first one is written. */
  begun: Promise<void>;
  timer?: NodeJS.Timeout;
}

/** Counts the reads of feeds: a reader that asks every second causes one write a minute. */
@Injectable()
export class FeedReads implements OnApplicationShutdown {
  private readonly logger = new Logger('evidence');
  private readonly reads = new Map<string, CountedReads>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: EvidenceRepository,
  ) {}

  /** Count a read. @returns when it is known that this reader is recorded */
  record(platformKeyId: string, importSupplier: string): Promise<void> {
    const name = `${platformKeyId} ${importSupplier}`;
    const known = this.reads.get(name);
    if (known) {
      known.count += 1;
      return known.begun;
    }
    const viewer = `platform key ${platformKeyId}`;
    const reads: CountedReads = { viewer, importSupplier, count: 1, begun: Promise.resolve() };
    this.reads.set(name, reads);
    reads.begun = this.write(reads).then(
      () => {
        this.writeLater(name, reads);
      },
      (error: unknown) => {
        this.reads.delete(name);
        throw error;
      },
    );
    return reads.begun;
  }

  /** What is counted is written before the process ends. */
  async onApplicationShutdown(): Promise<void> {
    for (const reads of this.reads.values()) {
      clearTimeout(reads.timer);
      await this.writeOrWarn(reads);
    }
  }

  private writeLater(name: string, reads: CountedReads): void {
    reads.timer = setTimeout(() => {
      if (reads.count === 0) {
        this.reads.delete(name);
        return;
      }
      void this.writeOrWarn(reads).then(() => {
        this.writeLater(name, reads);
      });
    }, WRITE_INTERVAL_MS).unref();
  }

  private async writeOrWarn(reads: CountedReads): Promise<void> {
    await this.write(reads).catch((error: unknown) => {
      this.logger.warn({ msg: 'could not record reads of the feed', err: error });
    });
  }

  /** What cannot be written stays counted. */
  private async write(reads: CountedReads): Promise<void> {
    const { viewer, importSupplier, count } = reads;
    if (count === 0) return;
    reads.count = 0;
    try {
      await this.work.single((tx) =>
        this.repository.recordOfSupplier(tx, 'feed.read', viewer, importSupplier, count),
      );
    } catch (error) {
      reads.count += count;
      throw error;
    }
  }
}
