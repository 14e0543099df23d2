import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  type PrometheusContentType,
  type Registry,
} from 'prom-client';

/** The metrics of one process, in the form in which they are sent to another. */
export type Metrics = MetricObjectWithValues<MetricValue<string>>[];

/** Types that only grow. A gauge, such as memory in use, ends with its process. */
const CUMULATIVE: ReadonlySet<unknown> = new Set(['counter', 'histogram']);

/**
 * Sums the metrics of several processes. The counters of a process that has ended stay in the sum: Prometheus takes a
 * counter that goes down for one that was reset, and would count all of it again.
 */
export class SummedMetrics {
  private ofEnded: Promise<Metrics> = Promise.resolve([]);

  /** Keep the counters of a process that has ended. */
  keep(metrics: Metrics): void {
    const cumulative = metrics.filter(({ type }) => CUMULATIVE.has(type));
    this.ofEnded = this.ofEnded.then((before) => sum([before, cumulative]).getMetricsAsJSON());
  }

  /** @returns the sum of these metrics and of all that were kept, in the text format of Prometheus */
  async text(running: readonly Metrics[]): Promise<string> {
    return sum([await this.ofEnded, ...running]).metrics();
  }
}

function sum(metrics: Metrics[]): Registry {
  return AggregatorRegistry.aggregate<PrometheusContentType>(metrics);
}
