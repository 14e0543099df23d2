import { SingleBar } from 'cli-progress';
import type { Progress, ProgressOptions } from '../../infrastructure/commands/command-line.js';
import type { CommandOutput } from './command-host.js';

/** For a command whose standard error is not a terminal. */
export const NO_PROGRESS: Progress = { advance: () => undefined, stop: () => undefined };

const BYTES_OF_MEGABYTE = 1_000_000;

/** Draw a progress bar on a terminal; bytes are shown as MB. */
export function startProgress(terminal: CommandOutput, { total, unit }: ProgressOptions): Progress {
  const isOfBytes = unit === 'bytes';
  const bar = new SingleBar({
    format: `{bar} {percentage} % | {value} of {total} ${isOfBytes ? 'MB' : unit} | {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    gracefulExit: false,
    stream: terminal,
    formatValue: (value, _options, type) => {
      if (type !== 'value' && type !== 'total') return String(value);
      return isOfBytes ? (value / BYTES_OF_MEGABYTE).toFixed(1) : value.toLocaleString('en');
    },
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
