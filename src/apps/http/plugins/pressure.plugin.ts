import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Budget } from '../../../infrastructure/limits/budget.js';

export interface PressureLimits {
  /** Mean delay of the event loop, in milliseconds. */
  readonly maxEventLoopDelay: number;
  readonly maxHeapUsedBytes: number;
}

/** Far from what the limits of holders let happen. With a heap that is full the process would end. */
const LIMITS: PressureLimits = {
  maxEventLoopDelay: 2_000,
  maxHeapUsedBytes: 0.9 * getHeapStatistics().heap_size_limit,
};

/**
 * Refuses all requests but probes while the process does nothing but catch up, or has hardly any memory left: a last resort, behind the
 * limits of each holder.
 *
 * Source: choice T18; decision 18 (docs/decisions/0018-one-budget-for-each-organisation.md).
 */
export async function pressurePlugin(
  instance: FastifyInstance,
  budget: Budget,
  limits: PressureLimits = LIMITS,
): Promise<void> {
  await instance.register(underPressure, {
    ...limits,
    // When the loop made no turn, the plugin takes the delay for infinite: in this time it is at least the largest that may be.
    sampleInterval: 2 * limits.maxEventLoopDelay,
    pressureHandler: ({ routeOptions: { url = '' } }) => {
      if (!url.startsWith('/health/')) throw budget.refusal('pressure');
    },
  });
}
