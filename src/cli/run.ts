import type { INestApplicationContext } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { createLogger, NestLogger } from '../common/logger.js';
import { readEnvironment } from '../config/env.js';
import { CommandDatabase } from '../database/command-database.js';
import { CliModule } from './cli.module.js';
import type { CommandHost } from './command-host.js';
import { printFailure } from './errors.js';
import { Interruption } from './interruption.js';
import { Invocation } from './invocation.js';
import { lazyEnvironment } from './lazy-environment.js';
import { Program } from './program.js';

/**
 * Run one operator command. A command that does not handle interruption ends at the first SIGINT or SIGTERM, any other at
 * a second one.
 *
 * @param argv the words after `data-import`
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage, 128 and the signal's number when a signal ended it
 * Source: choices, section 6.
 */
export async function run(argv: readonly string[], host: CommandHost): Promise<number> {
  const asJson = wantsJson(argv);
  const environment = lazyEnvironment(() => readEnvironment(host.variables()));
  const invocation = new Invocation(host, asJson, environment);
  let app: INestApplicationContext | undefined;
  try {
    app = await CommandFactory.createWithoutRunning(CliModule.with(environment, invocation), {
      logger: new NestLogger(createLogger('warn', host.stderr)),
      abortOnError: false,
    });
    await app.get(Program, { strict: false }).parse(argv);
    return invocation.exitCode;
  } catch (error) {
    const exitCode = printFailure(error, host, asJson);
    if (error instanceof Interruption) {
      await app?.get(CommandDatabase, { strict: false }).abandon();
      host.exit(exitCode);
    }
    return exitCode;
  } finally {
    await app?.close();
    invocation.stopWatchingSignals();
  }
}

/** After `--` a word that looks like an option is none. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end === -1 ? undefined : end).includes('--json');
}
