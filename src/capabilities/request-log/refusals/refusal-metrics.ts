import { IMPORT_KINDS } from '../../../infrastructure/item-names/item-names.js';
import type { Prometheus } from '../../../infrastructure/metrics/metrics.registry.js';
import { itemOf } from '../../../ingest/kinds/items.js';
import { REFUSAL_CODES } from './refusal-counts.js';
import type { RefusalsService } from './refusals.service.js';

export function refusalMetrics({ readCounter }: Prometheus, refusals: RefusalsService): void {
  readCounter({
    name: 'data_import_refused_requests_total',
    help: 'Import requests rejected with 400 or 404, by the code of their first field error, or of the answer',
    labelNames: ['kind', 'code'],
    *read() {
      for (const kind of IMPORT_KINDS) {
        for (const code of REFUSAL_CODES) {
          yield [{ kind: itemOf(kind).section, code }, refusals.counts.of(kind, code)] as const;
        }
      }
    },
  });
  readCounter({
    name: 'data_import_refusals_dropped_total',
    help: 'Rejected import requests that the history of their account lacks, because too many came at once',
    read: () => [[{}, refusals.dropped]],
  });
}
