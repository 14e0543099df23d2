import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** A program installed on this machine. */
export interface Program {
  readonly path: string;
  /** For example `2.6.12`. */
  readonly version: string;
}

/** @returns the program with this name, if installed. @param option that prints its version */
export async function findProgram(name: string, option: string): Promise<Program | undefined> {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const folder of folders) {
    const path = join(folder, name);
    const said = await promisify(execFile)(path, [option]).catch(() => undefined);
    const [version] = /\d+\.\d+\.\d+/.exec(said?.stdout ?? '') ?? [];
    if (version !== undefined) return { path, version };
  }
  return undefined;
}

/** @param folder removed by `stop` @returns `log` throws when the program has ended */
export function startProgram(
  { path }: Program,
  args: readonly string[],
  folder: string,
  signal: NodeJS.Signals = 'SIGTERM',
): { readonly stop: () => Promise<void>; readonly log: () => string } {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let written = '';
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding('utf8').on('data', (piece: string) => {
      written += piece;
    });
  }
  return {
    log: () => {
      if (child.exitCode !== null) throw new Error(`${path} ended: ${written}`);
      return written;
    },
    stop: async () => {
      child.kill(signal);
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
