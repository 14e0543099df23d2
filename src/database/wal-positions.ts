/** SQL for {@link Replayed.replayed}. */
export const REPLAYED = `pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::text`;

/** A row of a query that a standby may answer. */
export interface Replayed {
  /** Up to where the server that answered has replayed the log of the primary, in bytes; null on a primary. */
  readonly replayed: string | null;
}

/** How many samples are kept: with one a second, those of the last hour. */
const SAMPLES_MAX = 3_600;

/** What the primary had written at a time. */
interface Sample {
  readonly atMs: number;
  readonly position: bigint;
}

/**
 * How old the data of a standby is, from positions in the write-ahead log of its primary: a standby that has replayed the log
 * up to a position has everything that the primary had answered when it had written up to there.
 *
 * Only that comparison is right in every case. The time of the last replayed commit grows while nobody writes, and a standby
 * that is cut off from its primary has replayed all that it has received.
 */
export class WalPositions {
  /** The oldest first. */
  private readonly samples: Sample[] = [];

  /**
   * @param atMs time before the primary was asked
   * @param position what it had written then, in bytes
   */
  record(atMs: number, position: bigint): void {
    this.samples.push({ atMs, position });
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
  }

  /**
   * The latest time known of which a standby has everything.
   *
   * @param replayed position up to which it has replayed the log
   * @returns undefined when it lacks some of what the oldest sample has
   */
  timeOf(replayed: bigint): number | undefined {
    // After a fail-over the positions of the new primary may be lower than earlier ones, so the order is that of the times.
    return this.samples.findLast(({ position }) => position <= replayed)?.atMs;
  }

  clear(): void {
    this.samples.length = 0;
  }
}
