import { systemUser } from '../../../infrastructure/files/system-user.js';
import { hasConsole } from '../../../infrastructure/config/has-console.js';
import type { AppOptions } from '../create-app.js';
import type { Serving } from '../serving.js';

/*
 * The first steps that a start with the embedded database prints for people who try the service.
 */

type Where = Pick<Serving, 'url' | 'app'>;
type Options = Pick<AppOptions, 'environment' | 'logger'>;
type Say = (sentence: string) => void;

/**
 * Create the demonstration in an empty embedded database and print the commands to try it with, unless the setting
 * DEMONSTRATION is `off`. A failure is only logged, because the service has other callers.
 */
export async function offerDemonstration(serving: Where, options: Options, say: Say): Promise<void> {
  if (options.environment.DEMONSTRATION === 'off') return;
  const failure = 'the demonstration is not finished; the next start tries again';
  await offer(options, failure, async () => {
    const { DemonstrationSetupService } =
      await import('../../../capabilities/demonstration/demonstration-setup.service.js');
    const steps = await serving.app.get(DemonstrationSetupService, { strict: false }).create(serving.url);
    if (steps !== undefined) say(steps);
  });
}

/**
 * Print a link that signs in to the console, unless CONSOLE or CONSOLE_LINKS is `off`. A failure is only logged.
 *
 * Source: choice C1.
 */
export async function offerSignIn(serving: Where, options: Options, say: Say): Promise<void> {
  const { environment } = options;
  if (!hasConsole(environment) || environment.CONSOLE_LINKS === 'off') return;
  const failure = 'there is no link to sign in with; the command console link prints one';
  await offer(options, failure, async () => {
    const { SessionsService } = await import('../../console/signed-in/sessions.service.js');
    const { linkUrl } = await import('../../console/signed-in/console-url.js');
    const operator = environment.OPERATOR ?? systemUser();
    const { code } = await serving.app.get(SessionsService, { strict: false }).makeLink(operator, operator);
    say(`The console is at ${linkUrl(serving.url, code)} (signs in once, within ten minutes).`);
  });
}

/** @param failure logged when the work fails */
async function offer({ logger }: Options, failure: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    logger.warn({ err: error }, failure);
  }
}
