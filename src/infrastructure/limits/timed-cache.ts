import { BoundedMap } from './bounded-map.js';

/** The largest number of entries; beyond it the oldest is evicted. */
const ENTRIES_MAX = 10_000;

interface Entry<Value> {
  readonly loadedAtMs: number;
  readonly value: Promise<Value>;
}

/** Caches the answers of queries for a time, also while they are under way. Nothing is cached of a query that fails. */
export class TimedCache<Value> {
  private readonly entries = new BoundedMap<string, Entry<Value>>(ENTRIES_MAX);

  constructor(private readonly ttlMs: number) {}

  get(key: string): Promise<Value> | undefined {
    const entry = this.entries.get(key);
    return entry && performance.now() - entry.loadedAtMs < this.ttlMs ? entry.value : undefined;
  }

  /** @param value of a query that begins now */
  set(key: string, value: Promise<Value>): Promise<Value> {
    this.entries.set(key, { loadedAtMs: performance.now(), value });
    value.catch(() => this.entries.delete(key));
    return value;
  }

  clear(): void {
    this.entries.clear();
  }
}
