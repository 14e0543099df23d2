import { Injectable, type FactoryProvider } from '@nestjs/common';
import type * as client from 'prom-client';
import type * as readers from './prometheus.js';

/** The library and the helpers with which a module makes its metrics. */
export type Prometheus = typeof client & typeof readers;

/** A class whose instance Nest can inject. */
type Injected<T> = abstract new (...args: never[]) => T;

/** The metrics that the modules have registered; docs/operating/logs-and-metrics.md lists them. */
@Injectable()
export class MetricsRegistry {
  readonly definitions: ((loaded: Prometheus) => void)[] = [];

  /**
   * Make the metrics of all modules. prom-client is loaded here and not before: a service without METRICS_PORT does not need it.
   *
   * Source: choice O3.
   */
  async make(): Promise<void> {
    const loaded = { ...(await import('prom-client')), ...(await import('./prometheus.js')) };
    loaded.register.clear();
    for (const define of this.definitions) define(loaded);
  }
}

/**
 * A provider that registers metrics of its module. The module counts in plain numbers, and the metrics read them when `/metrics` is read.
 *
 * @param define makes the metrics, with the instances of the types
 */
export function registerMetrics<Instances extends unknown[]>(
  define: (loaded: Prometheus, ...instances: Instances) => void,
  ...types: { [Index in keyof Instances]: Injected<Instances[Index]> }
): FactoryProvider {
  return {
    provide: Symbol(define.name),
    // An operator command, which has no metrics, loads some of these modules too.
    inject: [{ token: MetricsRegistry, optional: true }, ...types],
    useFactory: (registry: MetricsRegistry | undefined, ...instances: Instances) =>
      registry?.definitions.push((loaded) => {
        define(loaded, ...instances);
      }),
  };
}
