import { importOutside } from './outside.js';

const { register } = await importOutside<typeof import('prom-client')>('prom-client');

/** The metrics of the service in this process that was started last with METRICS_PORT, as Prometheus reads them. */
export function metricsText(): Promise<string> {
  return register.metrics();
}

/** The values by name and labels, as they are written: `name{label="value"}`. */
export async function metricValues(): Promise<ReadonlyMap<string, number>> {
  const lines = (await metricsText()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Those of these metrics whose value has changed, and by how much. @param before as {@link metricValues} */
export async function increases(
  before: ReadonlyMap<string, number>,
  ...names: string[]
): Promise<Record<string, number>> {
  const now = [...(await metricValues())].filter(([key]) => names.includes(key.split('{')[0] ?? ''));
  const changed = now.map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, difference]) => difference !== 0));
}
