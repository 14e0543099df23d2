// Loaded into every process of a service with NODE_OPTIONS=--import=…, to make a process fail on request.
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';

// Uncaught failures, when the test sends a signal.
process.on('SIGUSR2', () => {
  throw new Error('An exception on purpose.');
});
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('A rejection on purpose.'));
});

/** While this file exists, no worker can start. */
if (cluster.isWorker && existsSync(process.env.TEST_NO_WORKERS_WHILE ?? '')) process.exit(7);
