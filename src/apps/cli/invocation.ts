import {
  CommandContext,
  type CommandInput,
  type CommandResult,
  type Progress,
  type ProgressOptions,
} from '../../infrastructure/commands/command-line.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { isOperatorName, OPERATOR_RULE } from '../../infrastructure/text/names.js';
import { printableLines } from '../../infrastructure/text/printable.js';
import { systemUser } from '../../infrastructure/files/system-user.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import type { CommandHost } from './command-host.js';
import { watchSignals, type Interruption } from './interruption.js';
import { printResult } from './output.js';
import { NO_PROGRESS, startProgress } from './progress.js';

/** One run of the program. */
export class Invocation extends CommandContext {
  /** Exit code of a command that ran to completion. */
  exitCode = 0;
  readonly stopWatchingSignals: () => void;
  private readonly interruption = new AbortController();
  /** Rejected by the first signal, unless the command reads {@link interrupted} and so ends on its own. */
  private readonly ended: Promise<never>;
  private endsByItself = false;

  constructor(
    private readonly host: CommandHost,
    private readonly asJson: boolean,
    private readonly environment: Environment,
  ) {
    super();
    let end: (interruption: Interruption) => void;
    this.ended = new Promise((_resolve, reject) => {
      end = reject;
    });
    // Nobody awaits it before and after the command.
    this.ended.catch(() => undefined);
    this.stopWatchingSignals = watchSignals(
      host.signals,
      (interruption) => {
        this.interruption.abort();
        if (!this.endsByItself) end(interruption);
      },
      ({ exitCode }) => {
        host.exit(exitCode);
      },
    );
  }

  get cwd(): string {
    return this.host.cwd;
  }

  get stdin(): CommandInput {
    return this.host.stdin;
  }

  get operator(): string {
    const name = this.environment.OPERATOR ?? systemUser();
    if (isOperatorName(name)) return name;
    throw new CommandError('invalid_operator', `The setting OPERATOR cannot be used. ${OPERATOR_RULE}`);
  }

  get interrupted(): AbortSignal {
    this.endsByItself = true;
    return this.interruption.signal;
  }

  say(sentence: string): void {
    this.host.stderr.write(`${printableLines(sentence)}\n`);
  }

  progress(options: ProgressOptions): Progress {
    const { stderr } = this.host;
    return this.asJson || !stderr.isTTY || options.total === 0 ? NO_PROGRESS : startProgress(stderr, options);
  }

  async complete(command: () => Promise<CommandResult>): Promise<void> {
    const result = await Promise.race([command(), this.ended]);
    // A long list is read from the database while it is printed.
    await Promise.race([printResult(this.host.stdout, result, this.asJson), this.ended]);
    // Some commands do their work while their result is read.
    this.exitCode = result.exitCode ?? 0;
  }
}
