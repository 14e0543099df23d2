import { SETTINGS, type Environment, type SettingName } from './settings.js';

/** A start that cannot go on. Its message is one sentence for the operator; nothing else of it is shown. */
export class StartError extends Error {}

/**
 * Read every setting once, or refuse to start.
 *
 * @param variables the process environment; an empty variable counts as absent
 * @throws StartError naming the setting, what was found and what it must be
 * Source: contract, section 6.
 */
export function readEnvironment(variables: NodeJS.ProcessEnv): Environment {
  const names = Object.keys(SETTINGS) as SettingName[];
  const entries = names.map((name) => [name, readSetting(name, variables[name])] as const);
  const environment = Object.fromEntries(entries) as unknown as Environment;
  if (environment.DATABASE_URL !== undefined && environment.TOKEN_SIGNING_KEY === undefined) {
    throw new StartError(
      'TOKEN_SIGNING_KEY must be set when DATABASE_URL is: every instance on that database signs with the same key. Make one with: openssl rand -hex 32',
    );
  }
  return environment;
}

function readSetting(name: SettingName, text: string | undefined): unknown {
  const setting = SETTINGS[name];
  try {
    return setting.parse(text === undefined || text === '' ? setting.default : text);
  } catch (error) {
    const shown = SECRET.has(name) ? '' : ` (it is ${JSON.stringify(text)})`;
    throw new StartError(`${name} ${(error as Error).message}${shown}.`, { cause: error });
  }
}

/** Settings whose value is never printed, not even in a complaint about it. Addresses may hold a key by mistake. */
const SECRET: ReadonlySet<SettingName> = new Set<SettingName>([
  'DATABASE_URL',
  'TOKEN_SIGNING_KEY',
  'DOCUMENT_STORE',
  'STRIPE_API_KEY',
  'STRIPE_API_URL',
  'GOCARDLESS_ACCESS_TOKEN',
  'GOCARDLESS_API_URL',
]);

/**
 * Every setting as absent, for the environment of a child that must have those it is given and no others: what is there,
 * were it empty, is not taken from a file `.env`.
 */
export const NO_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, '']),
);
