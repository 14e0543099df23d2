/** Interval at which the parent process is checked. */
const CHECK_INTERVAL_MS = 250;

/**
 * Send SIGTERM to this process once the shell through which npm started it has ended. npm signals only that shell, and a shell
 * such as dash ends without passing the signal on, so the program would keep running. On Windows the parent's end cannot be
 * detected, and nothing happens.
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
