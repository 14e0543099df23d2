import { setTimeout as delay } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { StartError } from '../config/env.js';
import type { AppOptions } from './create-app.js';

/*
 * What serving in one process and in several have in common. It is apart from the application, which takes longest to load
 * and which a process that only starts others never needs.
 */

/** Requests that are running when the service stops may take this long. */
export const STOP_TIMEOUT_MS = 15_000;
/** After that their connections are closed, and what they still do may take this long. */
export const CUT_OFF_TIMEOUT_MS = 3_000;

/** The listening service, in this process or in several. */
export interface Serving {
  readonly url: string;
  /** The application, when it runs in this process. */
  readonly app?: INestApplicationContext;
  /** The metrics of all requests in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Resolves when the service cannot continue; the message says why. */
  readonly gaveUp?: Promise<StartError>;
  /** Tell probes and clients that the service stops, and continue to serve. */
  readonly drain: () => void;
  /** Accept no more requests, answer those that are running, and end. */
  readonly stop: () => Promise<void>;
}

export interface ServeOptions extends AppOptions {
  readonly stopTimeoutMs?: number;
  readonly cutOffTimeoutMs?: number;
}

/** @returns whether the promise was fulfilled in time */
export async function endsWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([work.then(() => true), delay(timeoutMs, false, { signal: timer.signal })]);
  } finally {
    timer.abort();
  }
}
