// Loaded into every process of a service with NODE_OPTIONS=--import=…: makes a process fail as a fault in it would.
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';

// Failures that nobody catches, at the moment that the test chooses.
process.on('SIGUSR2', () => {
  throw new Error('An exception on purpose.');
});
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('A rejection on purpose.'));
});

/** While this file is there, no worker gets through its start. */
if (cluster.isWorker && existsSync(process.env.TEST_NO_WORKERS_WHILE ?? '')) process.exit(7);
