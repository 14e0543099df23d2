import { SingleBar } from 'cli-progress';
import type { Progress, ProgressOptions } from '../common/command-line.js';
import type { CommandOutput } from './command-host.js';

/** For a command whose standard error is no terminal. */
export const NO_PROGRESS: Progress = { advance: () => undefined, stop: () => undefined };

/** Draw a progress bar on a terminal. */
export function startProgress(terminal: CommandOutput, { total, unit }: ProgressOptions): Progress {
  const bar = new SingleBar({
    format: `{bar} {percentage} % | {value} of {total} ${unit} | {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    gracefulExit: false,
    stream: terminal,
  });
  bar.start(total, 0);
  return {
    advance: (done) => {
      bar.increment(done);
    },
    stop: () => {
      bar.stop();
    },
  };
}
