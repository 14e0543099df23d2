#!/usr/bin/env node
import { SYSTEM_CLOCK } from './common/clock.js';
import { run } from './program.js';
import { CLEAR_LINE } from './report/progress.js';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

// A reader may close the pipe after it has read enough, as head does. This must not end the process.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
process.exitCode = await run(process.argv.slice(2), {
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
