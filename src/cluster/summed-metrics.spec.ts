import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { SummedMetrics, type Metrics } from './summed-metrics.js';

/** The metrics of a process that has answered so many requests, each in half a second, and uses so much memory. */
function metricsOf(answers: number, memory: number): Promise<Metrics> {
  const registry = new Registry();
  const registers = [registry];
  const help = 'For a test';
  const counter = new Counter({ name: 'answers_total', help, labelNames: ['status'], registers });
  const duration = new Histogram({ name: 'duration_seconds', help, buckets: [0.1, 1], registers });
  for (let answer = 0; answer < answers; answer += 1) {
    counter.inc({ status: 200 });
    duration.observe(0.5);
  }
  new Gauge({ name: 'memory_bytes', help, registers }).set(memory);
  return registry.getMetricsAsJSON();
}

/** The lines that have a value. */
async function linesOf(text: Promise<string>): Promise<string[]> {
  return (await text).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the metrics of several processes', () => {
  it('are summed (section 6)', async () => {
    const text = new SummedMetrics().text([await metricsOf(2, 10), await metricsOf(3, 5)]);
    expect(await linesOf(text)).toEqual([
      'answers_total{status="200"} 5',
      'duration_seconds_bucket{le="0.1"} 0',
      'duration_seconds_bucket{le="1"} 5',
      'duration_seconds_bucket{le="+Inf"} 5',
      'duration_seconds_sum 2.5',
      'duration_seconds_count 5',
      'memory_bytes 15',
    ]);
  });

  it('keep the counters of processes that ended at the same time, but not their memory (section 6)', async () => {
    const metrics = new SummedMetrics();
    metrics.keep(await metricsOf(2, 10));
    metrics.keep(await metricsOf(4, 10));
    const lines = await linesOf(metrics.text([await metricsOf(1, 5)]));
    expect(lines).toContain('answers_total{status="200"} 7');
    expect(lines).toContain('duration_seconds_count 7');
    expect(lines).toContain('memory_bytes 5');
  });

  it('are empty when nothing was measured (section 6)', async () => {
    const metrics = new SummedMetrics();
    metrics.keep([]);
    expect(await linesOf(metrics.text([]))).toEqual([]);
  });
});
