import type { Batcher } from '../../database/batcher.js';
import { ITEM_OUTCOMES, type AnsweredItems } from '../../imports/answered-items.js';
import { REFUSAL_CODES } from '../../imports/refusals/refusal-counts.js';
import type { RefusalsService } from '../../imports/refusals/refusals.service.js';
import { readCounter, readGauge, type Sample } from './read-metric.js';
import { IMPORT_KINDS, itemOf } from '../../items/items.js';

/** The batchers by what their requests are about, the imports among them as in {@link itemMetrics}. */
export type Batchers = Readonly<Record<string, Pick<Batcher<unknown, unknown>, 'sent' | 'waitingCount'>>>;

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
    labelNames: [],
    read: () => [[{}, refusals.dropped]],
  });
}

export function batchMetrics(batchers: Batchers): void {
  const read = (value: (batcher: Batchers[string]) => number) => (): Sample<'kind'>[] =>
    Object.entries(batchers).map(([kind, batcher]) => [{ kind }, value(batcher)]);
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
}
