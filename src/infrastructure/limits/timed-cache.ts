import { BoundedMap } from './bounded-map.js';

/** Maximum number of entries; beyond it the oldest is evicted. */
const ENTRIES_MAX = 10_000;

interface Entry<Value> {
  readonly loadedAtMs: number;
  readonly value: Promise<Value>;
}

/** Caches the results of queries for a time, including queries that are still running. Failed queries are not cached. */
export class TimedCache<Value> {
  private readonly entries = new BoundedMap<string, Entry<Value>>(ENTRIES_MAX);

  constructor(private readonly ttlMs: number) {}

  get(key: string): Promise<Value> | undefined {
    const entry = this.entries.get(key);
    return entry && performance.now() - entry.loadedAtMs < this.ttlMs ? entry.value : undefined;
  }

  /** @param value the result of a query that starts now */
  set(key: string, value: Promise<Value>): Promise<Value> {
    this.entries.set(key, { loadedAtMs: performance.now(), value });
    value.catch(() => this.entries.delete(key));
    return value;
  }

  clear(): void {
    this.entries.clear();
  }
}
