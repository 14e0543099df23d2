import { Counter, Gauge } from 'prom-client';

/** A value with its labels. Labels come from closed lists, so that a metric has few values, and none that names a customer. */
export type Sample<Label extends string> = readonly [labels: Record<Label, string>, value: number];

interface Description<Label extends string> {
  readonly name: string;
  readonly help: string;
  /** None by default. */
  readonly labelNames?: readonly Label[];
  /** All its values. */
  readonly read: () => Iterable<Sample<Label>> | Promise<Iterable<Sample<Label>>>;
}

/**
 * A counter that is counted elsewhere, as plain numbers, and read when the metrics are. It has all its values from the start:
 * one that first appears with a value of 1 does not show as an increase.
 */
export function readCounter<Label extends string>({ read, ...about }: Description<Label>): void {
  new Counter<Label>({
    ...about,
    async collect() {
      const samples = await read();
      this.reset();
      for (const [labels, value] of samples) this.inc(labels, value);
    },
  });
}

/** A gauge whose values are read when the metrics are. */
export function readGauge<Label extends string>({ read, ...about }: Description<Label>): void {
  new Gauge<Label>({
    ...about,
    async collect() {
      const samples = await read();
      this.reset();
      for (const [labels, value] of samples) this.set(labels, value);
    },
  });
}
