import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import { systemUser } from '../../../infrastructure/files/system-user.js';
import { hasConsole } from '../../../infrastructure/config/has-console.js';
import type { Demonstration } from '../../../capabilities/demonstration/demonstration-setup.service.js';
import type { AppOptions } from '../create-app.js';
import type { Serving } from '../serving.js';

/*
 * The first steps that a start with the embedded database prints for people who try the service.
 */

type Where = Pick<Serving, 'url' | 'app'>;
type Options = Pick<AppOptions, 'environment' | 'logger'>;
type Say = (sentence: string) => void;

/** Create the demonstration in an empty database, and print a table of addresses and a request to copy. */
export async function offerFirstSteps(serving: Where, options: Options, say: Say): Promise<void> {
  const { url } = serving;
  const demonstration = await demonstrationIn(serving, options);
  if (demonstration?.issued !== undefined) say(sentencesAbout(demonstration, demonstration.issued));
  const rows = [
    ['Console', await consoleLink(serving, options)],
    ['Docs', options.environment.DOCS === 'off' ? undefined : `${url}/docs/`],
    ['API', `${url}/v1/`],
    ['Key', `export DATA_IMPORT_API_KEY=${keyFor(demonstration)}`],
  ] as const;
  const shown = rows.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(9)}${text}`]));
  say(`
${shown.join('\n')}

A first request, to be pasted into another terminal after the line of the key:
curl ${url}/v1/graphql/ -H 'Content-Type: application/json' \\
  -d '{"query": "mutation { obtainServiceToken(input: {apiKey: \\"'$DATA_IMPORT_API_KEY'\\"}) { token } }"}'
`);
}

/** The demonstration, unless the setting DEMONSTRATION is `off`. */
async function demonstrationIn({ app }: Where, options: Options): Promise<Demonstration | undefined> {
  if (options.environment.DEMONSTRATION === 'off') return undefined;
  return attempt(options, 'the demonstration is not finished; the next start tries again', async () => {
    const { DemonstrationSetupService } =
      await import('../../../capabilities/demonstration/demonstration-setup.service.js');
    return app.get(DemonstrationSetupService, { strict: false }).create();
  });
}

function sentencesAbout(
  { organisation, supplier }: Demonstration,
  { expiresAt }: NonNullable<Demonstration['issued']>,
): string {
  return `The database was empty, so a demonstration was created: the organisation "${organisation}" with the import supplier ${supplier}
and five accounts. Its API key is shown only now, and expires at ${formatDateTime(expiresAt)}.
Before customers' data is loaded, "npm run cli -- demonstration remove" revokes the key and erases the accounts.`;
}

/** The new key of the demonstration, or the command that issues another one: no key is shown twice. */
function keyFor(demonstration: Demonstration | undefined): string {
  const organisation = demonstration ? `"${demonstration.organisation}"` : 'ORGANISATION';
  return (
    demonstration?.issued?.key ??
    `$(npm run cli -- api-key issue ${organisation} --expires-in 7d --json | node -pe 'JSON.parse(fs.readFileSync(0)).key')`
  );
}

/**
 * A link that signs in to the console, unless CONSOLE or CONSOLE_LINKS is `off`.
 *
 * Source: choice C1.
 */
async function consoleLink({ url, app }: Where, options: Options): Promise<string | undefined> {
  const { environment } = options;
  if (!hasConsole(environment) || environment.CONSOLE_LINKS === 'off') return undefined;
  const failure = 'there is no link to sign in with; the command console link prints one';
  return attempt(options, failure, async () => {
    const { SessionsService } = await import('../../console/signed-in/sessions.service.js');
    const { linkUrl } = await import('../../console/signed-in/console-url.js');
    const operator = environment.OPERATOR ?? systemUser();
    const { code } = await app.get(SessionsService, { strict: false }).makeLink(operator, operator);
    return `${linkUrl(url, code)}  (signs in once, within ten minutes)`;
  });
}

/** A failure is only logged, because the service has other callers. @param failure logged when the work fails */
async function attempt<Result>(
  { logger }: Options,
  failure: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    logger.warn({ err: error }, failure);
    return undefined;
  }
}
