import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { createInterface } from 'node:readline';
import { CommandError } from '../common/command-error.js';
import { printable } from '../common/printable.js';
import { CHECKSUMS } from './backup.types.js';
import { systemReason } from '../config/system-reason.js';

/** A file of a backup. */
export interface ChecksummedFile {
  /** Relative to the folder of the backup, with `/`. */
  readonly name: string;
  /** 64 hexadecimal characters. */
  readonly sha256: string;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const CHARACTERS = new Map(Object.entries(ESCAPES).map(([character, escape]) => [escape, character]));

/** A line of a file of checksums as `sha256sum` writes it: a name with unusual characters is escaped and marked. */
export function checksumLine({ name, sha256 }: ChecksummedFile): string {
  const escaped = name.replace(/[\\\n\r]/g, (character) => ESCAPES[character] ?? '');
  return `${escaped === name ? '' : '\\'}${sha256}  ${escaped}\n`;
}

/** @returns nothing when it is no such line, or its name leads out of the folder */
export function parseChecksumLine(line: string): ChecksummedFile | undefined {
  const [, mark, sha256 = '', written = ''] = /^(\\?)([0-9a-f]{64}) {2}(.+)$/s.exec(line) ?? [];
  const name = mark ? written.replace(/\\[\\nr]/g, (escape) => CHARACTERS.get(escape) ?? '') : written;
  const leadsOut = isAbsolute(name) || name.split(/[/\\]/).includes('..');
  return name === '' || leadsOut ? undefined : { name, sha256 };
}

/**
 * The files that a backup consists of.
 *
 * @throws CommandError `backup_not_usable`
 */
export async function* checksumsOf(folder: string): AsyncGenerator<ChecksummedFile> {
  const path = join(folder, CHECKSUMS);
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const file = parseChecksumLine(line);
      if (!file) throw damaged(path, 'has a line that is no checksum');
      yield file;
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw damaged(path, `cannot be read: ${systemReason(cause)}`);
  }
}

/** @returns how many bytes the files have together; a file that is missing counts nothing */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name } of checksumsOf(folder)) {
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}

/**
 * Read every file of a backup and compare it with its checksum.
 *
 * @returns the names that were found to be right
 * @throws CommandError `backup_not_usable` naming the first file that is missing or was changed
 */
export async function verifyChecksums(
  folder: string,
  onBytes: (bytes: number) => void,
  interrupted: AbortSignal,
): Promise<void> {
  for await (const { name, sha256 } of checksumsOf(folder)) {
    const path = join(folder, name);
    const hash = createHash('sha256');
    try {
      for await (const piece of createReadStream(path, { signal: interrupted })) {
        hash.update(piece as Buffer);
        onBytes((piece as Buffer).length);
      }
    } catch (cause) {
      interrupted.throwIfAborted();
      throw damaged(path, `cannot be read: ${systemReason(cause)}`);
    }
    if (hash.digest('hex') !== sha256) throw damaged(path, 'does not match its checksum');
  }
}

/** The refusal of a backup because of one of its files. */
export function damaged(path: string, finding: string): CommandError {
  return new CommandError(
    'backup_not_usable',
    `The backup is damaged: ${printable(path)} ${finding}. Nothing was restored; use another copy.`,
  );
}
