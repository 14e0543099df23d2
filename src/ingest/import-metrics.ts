import { IMPORT_KINDS } from '../infrastructure/item-names/item-names.js';
import type { Prometheus } from '../infrastructure/metrics/metrics.registry.js';
import { ITEM_OUTCOMES, type AnsweredItems } from './answered-items.js';
import type { ImportRunner } from './import-runner.js';
import { itemOf } from './kinds/items.js';

export function itemMetrics({ readCounter }: Prometheus, items: AnsweredItems): void {
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

export function expressMetrics({ readCounter }: Prometheus, imports: ImportRunner): void {
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
