import type { INestApplicationContext } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { createLogger, NestLogger } from '../../infrastructure/log/logger.js';
import { printableLines } from '../../infrastructure/text/printable.js';
import { readEnvironment } from '../../infrastructure/config/env.js';
import { SETTINGS, type Environment, type SettingName } from '../../infrastructure/config/settings.js';
import { CliModule } from './cli.module.js';
import { GROUPS } from './command-groups.js';
import type { CommandHost } from './command-host.js';
import { printError } from './errors.js';
import { Interruption } from './interruption.js';
import { Invocation } from './invocation.js';
import { Program, type HelpOutput } from './program.js';

/**
 * Run one operator command. A command that does not handle interruption ends at the first SIGINT or SIGTERM, any other command at
 * the second.
 *
 * @param argv the words after `data-import`
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 128 and the signal's number when a signal ended it
 * Source: choices, section 6.
 */
export async function run(argv: readonly string[], host: CommandHost): Promise<number> {
  const asJson = wantsJson(argv);
  const environment = lazyEnvironment(host);
  const invocation = new Invocation(host, asJson, environment);
  let app: INestApplicationContext | undefined;
  try {
    const groups = Object.entries(GROUPS).filter(([name]) => argv.includes(name));
    app = await CommandFactory.createWithoutRunning(await CliModule.with(environment, invocation, groups), {
      logger: new NestLogger(createLogger('warn', host.stderr)),
      abortOnError: false,
    });
    await app.get(Program, { strict: false }).parse(argv, helpOutput(host, asJson));
    return invocation.exitCode;
  } catch (error) {
    const exitCode = await printError(error, host, asJson);
    if (error instanceof Interruption) host.exit(exitCode);
    return exitCode;
  } finally {
    await app?.close();
    invocation.stopWatchingSignals();
  }
}

/** After `--`, a word that looks like an option is not an option. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Settings are read when a command first needs one, so help and usage errors work even with invalid settings. */
function lazyEnvironment({ variables }: CommandHost): Environment {
  let environment: Environment | undefined;
  const names = Object.keys(SETTINGS) as SettingName[];
  const getters = names.map((name) => [
    name,
    { enumerable: true, get: () => (environment ??= readEnvironment(variables()))[name] },
  ]);
  return Object.defineProperties({}, Object.fromEntries(getters) as PropertyDescriptorMap) as Environment;
}

/** With `--json`, standard output is reserved for the document. */
function helpOutput({ stdout, stderr }: CommandHost, asJson: boolean): HelpOutput {
  return {
    writeOut: (text) => {
      (asJson ? stderr : stdout).write(text);
    },
    writeErr: (text) => {
      if (!asJson) stderr.write(printableLines(text));
    },
  };
}
