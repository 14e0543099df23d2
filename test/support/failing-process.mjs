// Loaded into the process of a service with NODE_OPTIONS=--import=…, to make it fail on request.

// Uncaught failures, when the test sends a signal.
process.on('SIGUSR2', () => {
  throw new Error('An exception on purpose.');
});
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('A rejection on purpose.'));
});
