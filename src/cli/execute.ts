import type { INestApplicationContext } from '@nestjs/common';
import { CommandFactory } from 'nest-commander';
import { createLogger, NestLogger } from '../common/logger.js';
import { readEnvironment } from '../config/env.js';
import { CliModule } from './cli.module.js';
import type { CommandHost } from './command-host.js';
import { printError } from './errors.js';
import { Interruption } from './interruption.js';
import { Invocation } from './invocation.js';
import { lazyEnvironment } from './lazy-environment.js';
import { Program } from './program.js';

/**
 * Run a command with the services that its group needs.
 *
 * @param argv the words after `data-import`
 * @param group the first word of the command
 * @param asJson whether `--json` is among them
 * @returns the exit code
 */
export async function execute(
  argv: readonly string[],
  group: string,
  host: CommandHost,
  asJson: boolean,
): Promise<number> {
  const environment = lazyEnvironment(() => readEnvironment(host.variables()));
  const invocation = new Invocation(host, asJson, environment);
  let app: INestApplicationContext | undefined;
  try {
    app = await CommandFactory.createWithoutRunning(await CliModule.with(environment, invocation, [group]), {
      logger: new NestLogger(createLogger('warn', host.stderr)),
      abortOnError: false,
    });
    await app.get(Program, { strict: false }).parse(argv);
    return invocation.exitCode;
  } catch (error) {
    const exitCode = printError(error, host, asJson);
    if (error instanceof Interruption) host.exit(exitCode);
    return exitCode;
  } finally {
    await app?.close();
    invocation.stopWatchingSignals();
  }
}
