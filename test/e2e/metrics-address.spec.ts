import { readEnvironment } from '../../src/config/env.js';
import { serveMetrics } from '../../src/http/metrics-server.js';

/** Where metrics are served with the settings. */
async function hostWith(settings: Record<string, string>): Promise<string> {
  const server = await serveMetrics(readEnvironment({ METRICS_PORT: '0', ...settings }), () =>
    Promise.resolve('measured 1\n'),
  );
  try {
    expect(await (await fetch(server!.url)).text()).toBe('measured 1\n');
    return new URL(server!.url).hostname;
  } finally {
    server!.close();
  }
}

describe('the metrics', () => {
  it('are served on this machine only, wherever the service listens (O3)', async () => {
    expect(await hostWith({ HOST: '0.0.0.0' })).toBe('127.0.0.1');
  });

  it('are served at METRICS_HOST (O3)', async () => {
    expect(await hostWith({ METRICS_HOST: '127.0.0.2' })).toBe('127.0.0.2');
    expect(await hostWith({ METRICS_HOST: '0.0.0.0' })).toBe('0.0.0.0');
  });
});
