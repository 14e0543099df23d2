/** How often the parent process is checked, in milliseconds. */
const CHECK_INTERVAL_MS = 250;

/**
 * Sends SIGTERM to this process when the shell through which npm started it has ended. npm sends a signal to that shell
 * only, and a shell such as dash ends without passing it on: the program would keep running. On Windows the parent's
 * end does not show, and nothing happens.
 */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, CHECK_INTERVAL_MS);
  check.unref();
}
