/**
 * Keeps the process alive if nobody reads its standard output or standard error any more, as after `| head -1` or when a log
 * collector has ended, and if a full disk rejects the output. Without a listener, Node.js ends the process. May be called more
 * than once.
 */
export function ignoreOutputErrors(): void {
  for (const output of [process.stdout, process.stderr]) {
    if (!output.listeners('error').includes(ignore)) output.on('error', ignore);
  }
}

function ignore(): void {
  // An output that fails cannot carry a message about its own failure.
}

/** Whether a write failed because the other end of the pipe is closed, which is not this process's fault. */
export function isBrokenPipe(error: unknown): boolean {
  return (error as { code?: string }).code === 'EPIPE';
}
