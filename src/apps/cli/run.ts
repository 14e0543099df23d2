import type { INestApplicationContext } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { createLogger, NestLogger } from '../../infrastructure/log/logger.js';
import { printableLines } from '../../infrastructure/text/printable.js';
import { mistypedSettings, readEnvironment } from '../../infrastructure/config/env.js';
import { SETTINGS, type Environment, type SettingName } from '../../infrastructure/config/settings.js';
import { CliModule } from './cli.module.js';
import { GROUPS } from './command-groups.js';
import type { CommandHost } from './command-host.js';
import { printError } from './errors.js';
import { Interruption } from './interruption.js';
import { Invocation } from './invocation.js';
import { Program, UNKNOWN_COMMAND, wordsOf, type HelpOutput } from './program.js';
import { commandsMeant } from './commands-meant.js';

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
  const apps: INestApplicationContext[] = [];
  const load = async (isWanted: (group: string) => boolean): Promise<Program> => {
    const groups = Object.entries(GROUPS).filter(([name]) => isWanted(name));
    const app = await CommandFactory.createWithoutRunning(
      await CliModule.with(environment, invocation, groups),
      {
        logger: new NestLogger(createLogger('warn', host.stderr)),
        abortOnError: false,
      },
    );
    apps.push(app);
    return app.get(Program, { strict: false });
  };
  const words = wordsOf(argv);
  if (words[0] === 'help') words.shift();
  try {
    const program = await load((name) => name === words[0]);
    await program.parse(argv, helpOutput(host, asJson));
    return invocation.exitCode;
  } catch (error) {
    const isUnknown = (error as { code?: unknown }).code === UNKNOWN_COMMAND;
    const hint = isUnknown ? commandsMeant(words, (await load(() => true)).names) : '';
    const exitCode = await printError(error, host, asJson, hint);
    if (error instanceof Interruption) host.exit(exitCode);
    return exitCode;
  } finally {
    for (const app of apps) await app.close();
    invocation.stopWatchingSignals();
  }
}

/** After `--`, a word that looks like an option is not an option. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}

/** Settings are read when a command first needs one, so help and usage errors work even with invalid settings. */
function lazyEnvironment({ variables, stderr }: CommandHost): Environment {
  let environment: Environment | undefined;
  const names = Object.keys(SETTINGS) as SettingName[];
  const read = (): Environment => {
    const present = variables();
    for (const sentence of mistypedSettings(present)) stderr.write(`${printableLines(sentence)}\n`);
    return readEnvironment(present);
  };
  const getters = names.map((name) => [
    name,
    { enumerable: true, get: () => (environment ??= read())[name] },
  ]);
  return Object.defineProperties({}, Object.fromEntries(getters) as PropertyDescriptorMap) as Environment;
}

/** With `--json`, standard output is reserved for the document. */
function helpOutput({ stdout, stderr }: CommandHost, asJson: boolean): HelpOutput {
  return {
    writeOut: (text) => (asJson ? stderr : stdout).write(text),
    writeErr: (text) => asJson || stderr.write(text),
  };
}
