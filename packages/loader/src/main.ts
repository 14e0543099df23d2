#!/usr/bin/env node
import { parentPort, workerData } from 'node:worker_threads';
import { SYSTEM_CLOCK } from './common/clock.js';
import { run } from './program.js';
import { CLEAR_LINE } from './report/progress.js';
import type { ShareTask } from './verify/entries-share.js';
import { answerOfThread } from './verify/entries-thread.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

// The program is one file, so its second thread is the same program (verify/share-thread.ts).
if (parentPort) parentPort.postMessage(await answerOfThread(workerData as ShareTask));
else process.exitCode = await runHere();

function runHere(): Promise<number> {
  // A reader may close the pipe after it has read enough, as head does. This must not end the process.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return run(process.argv.slice(2), {
    print: (text) => process.stdout.write(text),
    // The line of the progress may have to be cleared first.
    say: (sentence) => process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${sentence}\n`),
    environment: process.env,
    errors: process.stderr,
    clock: SYSTEM_CLOCK,
    exit: (code) => process.exit(code),
    onInterrupt: (handle) => {
      for (const signal of SIGNALS) process.on(signal, handle);
      return () => {
        for (const signal of SIGNALS) process.off(signal, handle);
      };
    },
  });
}
