import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../../infrastructure/config/env.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';

export interface MetricsServer {
  readonly url: string;
  readonly close: () => void;
}

/**
 * Serve `/metrics` at its own address, so that import suppliers who reach the service cannot reach the metrics.
 *
 * @returns undefined when the setting METRICS_PORT is off
 * @throws StartError when the address is not available
 * Source: choice O3.
 */
export async function serveMetrics(
  { METRICS_HOST, METRICS_PORT }: Environment,
  collect?: () => Promise<string>,
): Promise<MetricsServer | undefined> {
  if (METRICS_PORT === undefined) return undefined;
  const { register } = await import('prom-client');
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    (collect ?? (() => register.metrics()))().then(
      (text) => response.writeHead(200, { 'content-type': register.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  try {
    await once(server.listen(METRICS_PORT, METRICS_HOST), 'listening');
  } catch (cause) {
    throw new StartError(
      `The metrics cannot be served on ${METRICS_HOST}:${METRICS_PORT}: ${systemReason(cause)}.`,
      { cause },
    );
  }
  const { address, family, port } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/metrics`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
