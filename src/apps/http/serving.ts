import type { INestApplicationContext } from '@nestjs/common';
import type { AppOptions } from './create-app.js';
import type { ServiceServer } from './service-server.js';

/*
 * The types and timeouts that a starting process needs before it loads the application, which is the slowest step of the start.
 */

/** How long requests that are running when the service stops may take. */
export const STOP_TIMEOUT_MS = 15_000;
/** How long their remaining work may take after their connections have been closed. */
export const CUT_OFF_TIMEOUT_MS = 3_000;

/** The listening service. */
export interface Serving {
  readonly url: string;
  readonly app: INestApplicationContext;
  /** Tell probes and clients that the service is stopping, and continue to serve. */
  readonly drain: () => void;
  /** Accept no more requests, answer the running ones, and end. */
  readonly stop: () => Promise<void>;
}

export interface ServeOptions extends AppOptions {
  /** A server that is already listening. */
  readonly server: ServiceServer;
  readonly stopTimeoutMs?: number;
  readonly cutOffTimeoutMs?: number;
}
