import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type PrometheusContentType,
  type Registry,
} from 'prom-client';

/** What one process has measured, in the form in which it travels to another. */
export type Figures = MetricObjectWithValues<MetricValue<string>>[];

/** Figures that only ever grow. What is true of one moment, such as memory in use, ends with its process. */
const GROWING: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/**
 * The figures of several processes as those of one service. What a process that has ended had counted stays in the sum:
 * a counter that went down would look as if it had started from zero, and all of it would be counted once more.
 */
export class SummedMetrics {
  private departed: Promise<Figures> = Promise.resolve([]);

  /** Keep what a process that has ended had counted. */
  keep(figures: Figures): void {
    const growing = figures.filter(({ type }) => GROWING.has(type));
    this.departed = this.departed.then((before) => sum([before, growing]).getMetricsAsJSON());
  }

  /** @returns the sum of these and of all that were kept, in the text form of Prometheus */
  async text(present: readonly Figures[]): Promise<string> {
    return sum([await this.departed, ...present]).metrics();
  }
}

function sum(figures: Figures[]): Registry {
  return AggregatorRegistry.aggregate<PrometheusContentType>(figures);
}
