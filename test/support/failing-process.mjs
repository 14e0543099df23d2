// Loaded into a service's process with NODE_OPTIONS=--import=…: a signal makes it fail with an uncaught error.
process.on('SIGUSR2', () => {
  throw new Error('An exception on purpose.');
});
process.on('SIGWINCH', () => {
  void Promise.reject(new Error('A rejection on purpose.'));
});
