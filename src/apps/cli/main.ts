import { existsSync } from 'node:fs';
import { isBrokenPipe, ignoreOutputErrors } from '../../infrastructure/log/standard-output.js';
import { VERSION } from '../../infrastructure/config/version.js';

/**
 * Run one operator command in this process and set its exit code.
 *
 * @param argv the words after `data-import`
 * @param cwd directory in which they were typed
 */
export async function main(argv: readonly string[], cwd: string): Promise<void> {
  ignoreOutputErrors();
  process.stdout.on('error', failUnlessBrokenPipe);
  if (argv.length === 1 && argv[0] === '--version') {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  // Everything else needs Nest and the commands.
  const { run } = await import('./run.js');
  process.exitCode = await run(argv, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    cwd,
    variables: () => {
      if (existsSync('.env')) process.loadEnvFile('.env');
      return process.env;
    },
    signals: process,
    exit: (exitCode) => process.exit(exitCode),
  });
}

/** A reader such as `head` may end early, but output that did not fit on a full disk is lost. */
function failUnlessBrokenPipe(error: Error): void {
  if (isBrokenPipe(error)) return;
  process.once('exit', (exitCode) => {
    process.exitCode = exitCode === 0 ? 1 : exitCode;
  });
}
