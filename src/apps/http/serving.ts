import type { INestApplicationContext } from '@nestjs/common';
import type { AppOptions } from './create-app.js';
import type { ServiceServer } from './service-server.js';

/*
 * What the start of a process needs to know of the application before it is loaded, which takes longest.
 */

/** Requests that are running when the service stops may take this long. */
export const STOP_TIMEOUT_MS = 15_000;
/** After that their connections are closed, and what they still do may take this long. */
export const CUT_OFF_TIMEOUT_MS = 3_000;

/** The listening service. */
export interface Serving {
  readonly url: string;
  readonly app: INestApplicationContext;
  /** Tell probes and clients that the service stops, and continue to serve. */
  readonly drain: () => void;
  /** Accept no more requests, answer those that are running, and end. */
  readonly stop: () => Promise<void>;
}

export interface ServeOptions extends AppOptions {
  /** Listens already. */
  readonly server: ServiceServer;
  readonly stopTimeoutMs?: number;
  readonly cutOffTimeoutMs?: number;
}
