import { userInfo } from 'node:os';

/** Name of the user that runs the process. A container may run under a user id without a name. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
