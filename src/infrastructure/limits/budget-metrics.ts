import type { Prometheus } from '../metrics/metrics.registry.js';
import { KINDS, type Budget, type Refusal } from './budget.js';

/** The requests that the process has in hand, and those that it refused for lack of room (choice T18). */
export function budgetMetrics({ readCounter, readGauge }: Prometheus, { inHand, refused }: Budget): void {
  readGauge({
    name: 'data_import_requests_in_hand',
    help: 'Requests of known callers that are received, worked on or answered',
    labelNames: ['kind'],
    read: () => KINDS.map((kind) => [{ kind }, inHand[kind]] as const),
  });
  readGauge({
    name: 'data_import_bytes_in_hand',
    help: 'Bytes of their bodies, and of answers that are whole in memory',
    read: () => [[{}, inHand.bytes]],
  });
  readCounter({
    name: 'data_import_overload_refused_total',
    help: 'Requests that were answered 503 because their holder or the process had too much in hand',
    labelNames: ['reason'],
    read: () => (Object.keys(refused) as Refusal[]).map((reason) => [{ reason }, refused[reason]] as const),
  });
}
