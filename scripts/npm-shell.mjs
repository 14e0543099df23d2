/** How often it is looked whether npm's shell is still there, in milliseconds. */
const LOOK_INTERVAL_MS = 250;

/**
 * Ends this process as SIGTERM does when the shell has gone that npm ran it through. A signal to npm reaches that shell
 * and, in many systems, goes no further: the program would go on with nobody to stop it. Where it is not told that its
 * parent has gone, as in Windows, nothing happens.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(look);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_INTERVAL_MS);
  look.unref();
}
