/**
 * Let this process go on when nobody reads its standard output or standard error any more, as after `| head -1` or when a
 * collector of logs has ended: what it says is then said to nobody. So is what a full disk does not take. Without this,
 * Node.js would end the process. Once or more often is the same.
 */
export function outliveReaders(): void {
  for (const output of [process.stdout, process.stderr]) {
    if (!output.listeners('error').includes(goOn)) output.on('error', goOn);
  }
}

function goOn(): void {
  // The one who was told is gone, or there is no room: nothing more can be said about it.
}

/** Whether a failed write means that whoever read has stopped reading, which is no failure. */
export function isLostReader(error: unknown): boolean {
  return (error as { code?: string }).code === 'EPIPE';
}
