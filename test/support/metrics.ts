import { importOutside } from './outside.js';

const { register } = await importOutside<typeof import('prom-client')>('prom-client');

/** The metrics in Prometheus' format, of the service last started in this process with METRICS_PORT. */
export function metricsText(): Promise<string> {
  return register.metrics();
}

/** The values by name and labels, in the form `name{label="value"}`. */
export async function metricValues(): Promise<ReadonlyMap<string, number>> {
  const lines = (await metricsText()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The differences of those named metrics that have changed. @param before from {@link metricValues} */
export async function increases(
  before: ReadonlyMap<string, number>,
  ...names: string[]
): Promise<Record<string, number>> {
  const now = [...(await metricValues())].filter(([key]) => names.includes(key.split('{')[0] ?? ''));
  const changed = now.map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(changed.filter(([, difference]) => difference !== 0));
}
