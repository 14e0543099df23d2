import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from '../../jobs/background-job.js';
import { EvidenceService } from './evidence.service.js';

/** Between two writes of the reads. */
const WRITE_INTERVAL_MS = 60_000;

/** The reads with one key of one supplier. */
interface CountedReads {
  readonly viewer: string;
  readonly importSupplier: string;
  /** Those that are not written yet. */
  count: number;
  /** Ends when the first one is written. */
  begun: Promise<void>;
}

/** Counts the reads of feeds: a reader that asks every second causes one write a minute. */
@Injectable()
export class FeedReads implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('evidence');
  private readonly reads = new Map<string, CountedReads>();
  private readonly writing = new BackgroundJob({
    intervalMs: WRITE_INTERVAL_MS,
    run: () => this.writeAll(),
    onFailure: (err) => {
      this.logger.warn({ msg: 'could not record reads of the feed', err });
    },
  });

  constructor(private readonly evidence: EvidenceService) {}

  /**
   * Record that the platform is about to read the feed of a supplier. The first read is written at once, those that follow within a
   * minute together; a crash loses the count of these, but not that there was a reader.
   *
   * @param platformKeyId of the key with which it reads
   * @param importSupplier code of the supplier
   * @returns when it is known that this reader is recorded
   * Source: choices E5, O6.
   */
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
    reads.begun = this.write(reads);
    reads.begun.catch(() => this.reads.delete(name));
    return reads.begun;
  }

  onApplicationBootstrap(): void {
    this.writing.start();
  }

  /** Write the reads that were counted before the process ends. */
  async onApplicationShutdown(): Promise<void> {
    await this.writing.stop();
    await this.writeAll().catch((err: unknown) => {
      this.logger.warn({ msg: 'could not record reads of the feed', err });
    });
  }

  /** A reader that has not come since the last time is forgotten. */
  private async writeAll(): Promise<void> {
    for (const [name, { count }] of this.reads) if (count === 0) this.reads.delete(name);
    const written = [...this.reads.values()].map((reads) => this.write(reads));
    await Promise.allSettled(written);
    await Promise.all(written);
  }

  /** What cannot be written stays counted. */
  private async write(reads: CountedReads): Promise<void> {
    const { viewer, importSupplier, count } = reads;
    reads.count = 0;
    try {
      await this.evidence.recordOfSupplier('feed.read', viewer, importSupplier, count);
    } catch (error) {
      reads.count += count;
      throw error;
    }
  }
}
