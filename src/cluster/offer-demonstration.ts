import type { INestApplicationContext } from '@nestjs/common';
import type { AppOptions } from '../http/create-app.js';
import type { Serving } from '../http/serving.js';

/**
 * Create the demonstration in an empty embedded database and print the commands to try it with, unless the setting
 * DEMONSTRATION is `off`. A failure is logged only, because the service has other callers.
 */
export async function offerDemonstration(
  { url, app }: Pick<Serving, 'url' | 'app'>,
  options: AppOptions,
  say: (sentence: string) => void,
): Promise<void> {
  if (options.environment.DEMONSTRATION === 'off') return;
  try {
    const { createDemonstration } = await import('../demonstration/demonstration.js');
    const context = app ?? (await createOwnContext(options));
    try {
      const steps = await createDemonstration(context, url);
      if (steps !== undefined) say(steps);
    } finally {
      if (context !== app) await context.close();
    }
  } catch (error) {
    options.logger.warn({ err: error }, 'the demonstration is not finished; the next start tries again');
  }
}

async function createOwnContext(options: AppOptions): Promise<INestApplicationContext> {
  const { createContext } = await import('../cli/operator.module.js');
  return createContext(options);
}
