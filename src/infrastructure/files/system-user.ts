import { userInfo } from 'node:os';

/** Name of the user who runs the process. A container may run under a number that has no name. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
