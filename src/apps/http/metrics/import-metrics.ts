import type { BatcherLoad } from '../../../infrastructure/database/batcher.js';
import { ITEM_OUTCOMES, type AnsweredItems } from '../../../ingest/answered-items.js';
import { REFUSAL_CODES } from '../../../capabilities/request-log/refusals/refusal-counts.js';
import type { RefusalsService } from '../../../capabilities/request-log/refusals/refusals.service.js';
import { IMPORT_QUERIES, type ImportRunner } from '../../../ingest/import-runner.js';
import { readCounter, readGauge, type Sample } from './read-metric.js';
import { IMPORT_KINDS } from '../../../infrastructure/item-names/item-names.js';
import { itemOf } from '../../../ingest/kinds/items.js';

export function itemMetrics(items: AnsweredItems): void {
  readCounter({
    name: 'data_import_items_total',
    help: 'Items of stored import requests: added, or already there; dry runs are not counted',
    labelNames: ['kind', 'outcome'],
    *read() {
      for (const kind of IMPORT_KINDS) {
        for (const outcome of ITEM_OUTCOMES) {
          yield [{ kind: itemOf(kind).section, outcome }, items.of(kind, outcome)] as const;
        }
      }
    },
  });
}

export function refusalMetrics(refusals: RefusalsService): void {
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

export function batchMetrics(imports: ImportRunner, accountStatus: BatcherLoad): void {
  const read = (value: (load: BatcherLoad) => number) => (): Sample<'kind'>[] => [
    ...IMPORT_QUERIES.map((kind) => {
      const load = imports.loadOf(kind);
      return [{ kind }, load ? value(load) : 0] as const;
    }),
    [{ kind: 'account_status' }, value(accountStatus)],
  ];
  readGauge({
    name: 'data_import_batch_waiting',
    help: 'Requests that wait for a query that they may share',
    labelNames: ['kind'],
    read: read(({ waitingCount }) => waitingCount),
  });
  readCounter({
    name: 'data_import_batch_queries_total',
    help: 'Queries that requests may share',
    labelNames: ['kind'],
    read: read(({ sent }) => sent.queries),
  });
  readCounter({
    name: 'data_import_batch_requests_total',
    help: 'Requests in these queries; one that is tried again alone counts again',
    labelNames: ['kind'],
    read: read(({ sent }) => sent.requests),
  });
  readCounter({
    name: 'data_import_express_queries_total',
    help: 'Express queries that have stored their requests, and those that have left them to the careful query',
    labelNames: ['kind', 'outcome'],
    *read() {
      for (const [kind, { counts }] of imports.express)
        for (const outcome of ['stored', 'left'] as const)
          yield [{ kind, outcome }, counts[outcome]] as const;
    },
  });
}
