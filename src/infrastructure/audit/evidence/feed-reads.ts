import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from '../../jobs/background-job.js';
import { EvidenceService } from './evidence.service.js';

/** Interval between two writes of the counts. */
const WRITE_INTERVAL_MS = 60_000;

/** The reads of one supplier's feed with one key. */
interface CountedReads {
  readonly viewer: string;
  readonly importSupplier: string;
  /** Reads that are not written yet. */
  count: number;
  /** Resolves when the first read is written. */
  begun: Promise<void>;
}

/** Counts the reads of feeds. A reader that polls every second causes one write a minute. */
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
   * Record that the platform is about to read the feed of a supplier. The first read is written at once. Reads that follow within
   * a minute are written together: a crash loses their count, but not the fact that there was a reader.
   *
   * @param platformKeyId the key used for reading
   * @param importSupplier code of the supplier
   * @returns resolves when this reader is recorded
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

  /** Write the remaining counts before the process ends. */
  async onApplicationShutdown(): Promise<void> {
    await this.writing.stop();
    await this.writeAll().catch((err: unknown) => {
      this.logger.warn({ msg: 'could not record reads of the feed', err });
    });
  }

  /** A reader that has not polled since the last write is dropped. */
  private async writeAll(): Promise<void> {
    for (const [name, { count }] of this.reads) if (count === 0) this.reads.delete(name);
    const written = [...this.reads.values()].map((reads) => this.write(reads));
    await Promise.allSettled(written);
    await Promise.all(written);
  }

  /** Reads that cannot be written stay counted. */
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
