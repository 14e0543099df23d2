import { readFileSync } from 'node:fs';
import { metricsText } from '../support/metrics.js';
import { startService } from '../support/service.js';
import { createDatabase } from '../support/database.js';
import { SupplierOperations } from '../support/supplier-operations.js';
import { carryOver } from '../support/suppliers.js';
import { waitUntil } from '../support/wait-until.js';
import { inBlock } from '../support/set-up.js';

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: string;
}

/** The process metrics that prom-client publishes by default. */
const GENERAL = /^(process|nodejs)_/;

const namesIn = (cell: string): string => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name).join(', ');

/** The rows of the table in docs/operating/logs-and-metrics.md. */
function described(): Metric[] {
  const rows = readFileSync('docs/operating/logs-and-metrics.md', 'utf8').matchAll(
    /^\| `(data_import_\w+)` \| (\w+) \| (.*?) \| .+ \|$/gm,
  );
  return [...rows].map(([, name = '', type = '', labels = '']) => ({ name, type, labels: namesIn(labels) }));
}

/** The metrics in a text that Prometheus reads. */
function shown(text: string): Metric[] {
  return [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
    .map(([, name = '', type = '']) => {
      const [, sample = ''] = new RegExp(`^${name}(?:_bucket)?\\{([^}]*)\\} `, 'm').exec(text) ?? [];
      const labels = [...sample.matchAll(/(\w+)="/g)].map(([, label]) => label).filter((one) => one !== 'le');
      return { name, type, labels: labels.join(', ') };
    })
    .filter(({ name }) => !GENERAL.test(name));
}

const byName = (one: Metric, other: Metric): number => (one.name < other.name ? -1 : 1);

it('docs/operating/logs-and-metrics.md has every metric with its type and its labels, and no other (O3)', async () => {
  await using database = inBlock(await createDatabase());
  await using service = inBlock(await startService({ METRICS_PORT: '0' }, { database }));
  const of = new SupplierOperations(service, await service.given.supplier());
  await of.stage(['1'], [], { notes: 1 });
  await of.import();
  await carryOver(service, of.world);
  await service.call('/v1/graphql/');
  const hasAnswered = async (): Promise<boolean> =>
    (await metricsText()).includes('data_import_answers_total{');
  await waitUntil('the answer is counted', hasAnswered);
  expect(described().sort(byName)).toEqual(shown(await metricsText()).sort(byName));
  expect(described().length).toBeGreaterThan(20);
});
