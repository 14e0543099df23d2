import { SETTINGS, type Environment, type SettingName } from '../config/settings.js';

/**
 * Settings that are read when the first of them is needed, so that help and wrong usage work whatever the settings are.
 *
 * @param read called once, with the first setting
 */
export function lazyEnvironment(read: () => Environment): Environment {
  let environment: Environment | undefined;
  const names = Object.keys(SETTINGS) as SettingName[];
  const getters = names.map((name) => [
    name,
    { enumerable: true, get: () => (environment ??= read())[name] },
  ]);
  return Object.defineProperties({}, Object.fromEntries(getters) as PropertyDescriptorMap) as Environment;
}
