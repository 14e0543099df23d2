import { isMistyped } from '../text/near-matches.js';
import { NONE } from './setting-parsers.js';
import { SETTINGS, type Environment, type Setting, type SettingName } from './settings.js';

/** The process cannot start. The message is one sentence for the operator; nothing else of the error is printed. */
export class StartError extends Error {}

/** The settings with which people sign in to the console. CONSOLE_URL may also be set alone. */
const OF_PROVIDER = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ROLES',
  'CONSOLE_URL',
] as const;

/**
 * Read all settings once, or refuse to start.
 *
 * @param variables environment variables; an empty one counts as absent
 * @throws StartError that names the setting, its value and the allowed values
 * Source: choices, section 6.
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
  const isSet = (name: SettingName): boolean => environment[name] !== undefined;
  const missing = OF_PROVIDER.filter((name) => !isSet(name));
  if (missing.length > 0 && OF_PROVIDER.some((name) => name !== 'CONSOLE_URL' && isSet(name))) {
    throw new StartError(
      `${missing.join(', ')} must be set too: people sign in to the console only with ${OF_PROVIDER.join(', ')}.`,
    );
  }
  return environment;
}

/**
 * Sentences about variables that are no settings, but would be without one mistake of typing. Longer names are not compared with more
 * tolerance, because the environment is full of other programs' variables.
 *
 * Source: choices, section 6.
 */
export function mistypedSettings(variables: NodeJS.ProcessEnv): string[] {
  const names = Object.keys(SETTINGS);
  return Object.keys(variables).flatMap((variable) => {
    const meant = names.includes(variable) ? undefined : names.find((name) => isMistyped(variable, name));
    return meant === undefined ? [] : [`The variable ${variable} is no setting. Did you mean ${meant}?`];
  });
}

function readSetting(name: SettingName, text: string | undefined): unknown {
  const { default: usual = NONE, isSecret, parse }: Setting<unknown> = SETTINGS[name];
  try {
    return parse(text === undefined || text === '' ? usual : text);
  } catch (error) {
    const given = isSecret ? '' : ` (it is ${JSON.stringify(text)})`;
    throw new StartError(`${name} ${(error as Error).message}${given}.`, { cause: error });
  }
}

/**
 * Every setting as an empty variable, for child processes that must not read settings from a `.env` file: a variable that exists
 * takes precedence over the file, even if it is empty.
 */
export const NO_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(SETTINGS).map((name) => [name, '']),
);
