import type { EvidenceService } from './evidence.service.js';
import { FeedReads } from './feed-reads.js';

const { jest } = import.meta;

const MINUTE = 60_000;

describe('reads of a feed', () => {
  let written: unknown[];
  let isUnreachable: boolean;
  let reads: FeedReads;
  beforeEach(() => {
    jest.useFakeTimers();
    [written, isUnreachable] = [[], false];
    reads = new FeedReads({
      recordOfSupplier: (action: string, ...row: unknown[]) => {
        if (isUnreachable) return Promise.reject(new Error('Unreachable.'));
        written.push([action, ...row]);
        return Promise.resolve();
      },
    } as unknown as EvidenceService);
    reads.onApplicationBootstrap();
  });
  afterEach(async () => {
    await reads.onApplicationShutdown();
    jest.useRealTimers();
  });

  const row = (key: string, supplier: string, count: number): unknown[] => [
    'feed.read',
    `platform key ${key}`,
    supplier,
    count,
  ];

  it('are written at once if first, and otherwise together at the end of the minute (O6)', async () => {
    await reads.record('k', 'S');
    expect(written.splice(0)).toEqual([row('k', 'S', 1)]);
    for (let n = 0; n < 3; n += 1) await reads.record('k', 'S');
    await reads.record('k', 'T');
    await reads.record('l', 'S');
    expect(written.splice(0)).toEqual([row('k', 'T', 1), row('l', 'S', 1)]);
    await jest.advanceTimersByTimeAsync(MINUTE);
    expect(written.splice(0)).toEqual([row('k', 'S', 3)]);
    await reads.record('k', 'S');
    await jest.advanceTimersByTimeAsync(MINUTE - 1);
    expect(written).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(written.splice(0)).toEqual([row('k', 'S', 1)]);
    await jest.advanceTimersByTimeAsync(MINUTE);
    await reads.record('k', 'S');
    expect(written).toEqual([row('k', 'S', 1)]);
  });

  it('are all rejected while the first one cannot be written (O6)', async () => {
    isUnreachable = true;
    const both = [reads.record('k', 'S'), reads.record('k', 'S')];
    for (const one of both) await expect(one).rejects.toThrow('Unreachable.');
    isUnreachable = false;
    await reads.record('k', 'S');
    expect(written).toEqual([row('k', 'S', 1)]);
  });

  it('stay counted while they cannot be written, and are written when the process ends (O6)', async () => {
    await reads.record('k', 'S');
    await reads.record('k', 'S');
    isUnreachable = true;
    await jest.advanceTimersByTimeAsync(MINUTE);
    isUnreachable = false;
    await reads.record('k', 'S');
    await reads.onApplicationShutdown();
    expect(written).toEqual([row('k', 'S', 1), row('k', 'S', 2)]);
  });
});
