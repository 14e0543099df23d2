import fc from 'fast-check';
import { WalPositions } from './wal-positions.js';

describe('the positions in the log of a primary', () => {
  it('show that a standby has everything when nobody has written for long (O8)', () => {
    const positions = new WalPositions();
    for (const atMs of [1_000, 2_000, 60_000]) positions.record(atMs, 500n);
    expect(positions.timeOf(500n)).toBe(60_000);
  });

  it('show nothing of a standby that lacks what the oldest sample has (O8)', () => {
    const positions = new WalPositions();
    expect(positions.timeOf(500n)).toBeUndefined();
    positions.record(1_000, 501n);
    expect(positions.timeOf(500n)).toBeUndefined();
    positions.clear();
    expect(positions.timeOf(501n)).toBeUndefined();
  });

  it('are kept for the last hour, with one a second (O8)', () => {
    const positions = new WalPositions();
    for (let second = 0; second <= 3_600; second += 1) positions.record(second * 1_000, BigInt(second));
    expect(positions.timeOf(0n)).toBeUndefined();
    expect(positions.timeOf(1n)).toBe(1_000);
  });

  /** What happens in a millisecond: the primary answers a write, it is asked for its position, or the standby replays. */
  const step = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), bytes: fc.bigInt(1n, 100n) }),
    fc.record({ kind: fc.constant('sample' as const), bytes: fc.constant(0n) }),
    fc.record({ kind: fc.constant('replay' as const), bytes: fc.bigInt(0n, 300n) }),
  );

  it('never give a time at which the primary had answered what the standby lacks (O8)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const positions = new WalPositions();
        const writes: { readonly atMs: number; readonly end: bigint }[] = [];
        let [written, replayed, sampledMs] = [0n, 0n, -1];
        for (const [atMs, { kind, bytes }] of steps.entries()) {
          if (kind === 'write') writes.push({ atMs, end: (written += bytes) });
          if (kind === 'sample') positions.record((sampledMs = atMs), written);
          if (kind === 'replay') replayed = written < replayed + bytes ? written : replayed + bytes;
          const hasAllOfMs = positions.timeOf(replayed) ?? -1;
          const lacking = writes.filter(({ end }) => end > replayed);
          expect(lacking.every((write) => write.atMs > hasAllOfMs)).toBe(true);
          // It is not too pessimistic either: a standby that has everything is as new as the last sample.
          if (replayed === written) expect(hasAllOfMs).toBe(sampledMs);
        }
      }),
    );
  });
});
