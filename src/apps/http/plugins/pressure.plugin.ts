import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import type { Budget } from '../../../infrastructure/limits/budget.js';

export interface PressureLimits {
  /** Mean delay of the event loop, in milliseconds. */
  readonly maxEventLoopDelay: number;
  readonly maxHeapUsedBytes: number;
}

/** Far above the load that the holders' limits allow. The process would end with a full heap. */
const LIMITS: PressureLimits = {
  maxEventLoopDelay: 2_000,
  maxHeapUsedBytes: 0.9 * getHeapStatistics().heap_size_limit,
};

/**
 * Rejects all requests except probes while the process only catches up or has hardly any memory left. It is a last resort, behind the
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
    // The plugin reports an infinite delay when the loop made no iteration. Over this interval the real delay then exceeds the limit too.
    sampleInterval: 2 * limits.maxEventLoopDelay,
    pressureHandler: ({ routeOptions: { url = '' } }) => {
      if (!url.startsWith('/health/')) throw budget.refusal('pressure');
    },
  });
}
