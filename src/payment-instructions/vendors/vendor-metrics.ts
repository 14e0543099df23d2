import type { Prometheus } from '../../infrastructure/metrics/metrics.registry.js';
import { CALL_OUTCOMES, type VendorGateway } from './vendor-gateway.js';

/** Upper bounds of the duration buckets, in seconds. A call takes at most 3 s (choice P4). */
const DURATION_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 1.5, 2, 3, 5];

/** Metrics for calls to the configured vendors. */
export function vendorMetrics({ Counter, Histogram, readGauge }: Prometheus, vendors: VendorGateway): void {
  const calls = new Counter({
    name: 'data_import_vendor_calls_total',
    help: 'Calls of payment vendors, each try of a request, by their outcome',
    labelNames: ['vendor', 'outcome'],
  });
  const duration = new Histogram({
    name: 'data_import_vendor_call_duration_seconds',
    help: 'Time of a call of a payment vendor until its answer, or its failure',
    labelNames: ['vendor'],
    buckets: DURATION_BUCKETS_SECONDS,
  });
  for (const [vendor] of vendors.circuits) {
    for (const outcome of CALL_OUTCOMES) calls.inc({ vendor, outcome }, 0);
    duration.zero({ vendor });
  }
  vendors.onCall((vendor, outcome, seconds) => {
    calls.inc({ vendor, outcome });
    duration.observe({ vendor }, seconds);
  });
  readGauge({
    name: 'data_import_vendor_circuit_open',
    help: '1 while requests are answered without a call because the payment vendor failed repeatedly',
    labelNames: ['vendor'],
    read: () => vendors.circuits.map(([vendor, isOpen]) => [{ vendor }, Number(isOpen)] as const),
  });
}
