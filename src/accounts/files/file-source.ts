import { fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import type { CommandContext, CommandInput, Progress } from '../../infrastructure/commands/command-line.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';

/** Bytes read from a file at a time. */
const CHUNK_BYTES = 262_144;

/** The bytes of a file; the code that opens it closes it. */
export interface FileSource {
  readonly chunks: AsyncIterable<Buffer>;
  readonly close: () => void;
}

/**
 * Open standard input, or a file with a progress bar that shows how much of it is read. The bar appears after the first chunk was
 * read and used, so it never appears for an unreadable file.
 *
 * @param file relative to the operator's directory; `-` for standard input
 * @throws CommandError `file_not_readable`, also while the file is read
 * Source: choices, section 6.
 */
export async function openFile(file: string, context: CommandContext): Promise<FileSource> {
  if (file === '-') return standardInput(context.stdin);
  const handle = await open(resolve(context.cwd, file)).catch((cause: unknown) => {
    throw notReadable(file, cause);
  });
  const { size } = await handle.stat();
  const stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES });
  let progress: Progress | undefined;
  const onRead = (bytes: number): void => {
    progress ??= context.progress({ total: size, unit: 'bytes' });
    progress.advance(bytes);
  };
  return {
    chunks: readChunks(stream, file, onRead),
    close: () => {
      progress?.stop();
      stream.destroy();
    },
  };
}

function standardInput(stdin: CommandInput): FileSource {
  // Reading a directory would end at once, like reading an empty file.
  if (stdin.fd !== undefined && fstatSync(stdin.fd).isDirectory()) {
    throw notReadable('-', new Error('it is a folder'));
  }
  return { chunks: stdin, close: () => stdin.destroy() };
}

async function* readChunks(
  chunks: AsyncIterable<Buffer>,
  file: string,
  onRead: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      yield chunk;
      onRead(chunk.length);
    }
  } catch (cause) {
    throw notReadable(file, cause);
  }
}

function notReadable(file: string, cause: unknown): CommandError {
  const sentence = `The file ${file} cannot be read: ${systemReason(cause)}.`;
  return new CommandError('file_not_readable', sentence, { cause });
}
