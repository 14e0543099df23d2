import { fstatSync, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import type { CommandContext, CommandInput, Progress } from '../../infrastructure/commands/command-line.js';
import { appended } from '../../infrastructure/files/spool.js';
import type { TemporaryFile } from '../../infrastructure/files/temporary-file.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';

/** Bytes read from a file at a time. */
const CHUNK_BYTES = 262_144;

/** The bytes of a file; the code that opens it closes it. */
export interface FileSource {
  /** @returns the bytes from the beginning of the file */
  readonly chunks: () => AsyncIterable<Buffer>;
  readonly close: () => void;
}

/**
 * Open standard input, or a file with a progress bar that shows how much of it is read. The bar appears after the first chunk was
 * read and used, so it never appears for an unreadable file.
 *
 * @param file relative to the operator's directory; `-` for standard input
 * @param isReadAgain whether the file is read more than once; standard input and pipes are then kept in a temporary file
 * @throws CommandError `file_not_readable`, also while the file is read
 * Source: choices, section 6.
 */
export async function openFile(
  file: string,
  context: CommandContext,
  isReadAgain: boolean,
): Promise<FileSource> {
  if (file === '-') return standardInput(context.stdin, isReadAgain);
  const handle = await open(resolve(context.cwd, file)).catch((cause: unknown) => {
    throw notReadable(file, cause);
  });
  const opened = await handle.stat();
  if (!opened.isFile() && !opened.isDirectory()) {
    return streamed(handle.createReadStream({ highWaterMark: CHUNK_BYTES }), file, isReadAgain);
  }
  let progress: Progress | undefined;
  const onRead = (bytes: number): void => {
    progress ??= context.progress({ total: opened.size, unit: 'bytes' });
    progress.advance(bytes);
  };
  let readings = 0;
  let stream: Readable | undefined;
  return {
    chunks: async function* () {
      progress?.stop();
      progress = undefined;
      readings += 1;
      if (readings > 1) await requireUnchanged(handle, opened, file);
      stream = handle.createReadStream({ highWaterMark: CHUNK_BYTES, start: 0, autoClose: false });
      yield* readChunks(stream, file, onRead);
      if (readings > 1) await requireUnchanged(handle, opened, file);
    },
    close: () => {
      progress?.stop();
      stream?.destroy();
      void handle.close();
    },
  };
}

/** A file that is written while it is read may have different lines each time. */
async function requireUnchanged(handle: FileHandle, opened: Stats, file: string): Promise<void> {
  const { size, mtimeMs } = await handle.stat();
  if (size === opened.size && mtimeMs === opened.mtimeMs) return;
  throw notReadable(file, new Error('it was changed while it was read'));
}

function standardInput(stdin: CommandInput, isReadAgain: boolean): FileSource {
  // Reading a directory would end at once, like reading an empty file.
  if (stdin.fd !== undefined && fstatSync(stdin.fd).isDirectory()) {
    throw notReadable('-', new Error('it is a folder'));
  }
  return streamed(stdin, '-', isReadAgain);
}

/** Bytes that arrive once. If they are read again, they are kept in a temporary file. */
function streamed(stream: Readable, file: string, isReadAgain: boolean): FileSource {
  let kept: TemporaryFile | undefined;
  let isAtEnd = false;
  return {
    chunks: async function* () {
      if (isAtEnd) {
        if (kept) yield* kept.chunks();
        return;
      }
      for await (const chunk of readChunks(stream, file)) {
        if (isReadAgain) kept = appended(kept, chunk);
        yield chunk;
      }
      isAtEnd = true;
    },
    close: () => {
      stream.destroy();
      kept?.close();
    },
  };
}

async function* readChunks(
  chunks: AsyncIterable<Buffer>,
  file: string,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of chunks) {
      yield chunk;
      onRead?.(chunk.length);
    }
  } catch (cause) {
    throw notReadable(file, cause);
  }
}

/** The user of the service cannot read the operator's files. */
export function notReadable(file: string, cause: unknown): CommandError {
  const isDenied = ['EACCES', 'EPERM'].includes((cause as NodeJS.ErrnoException).code ?? '') && file !== '-';
  const input = /\.(csv|ndjson)$/.test(file) ? ', or give it on standard input ("-")' : '';
  const remedy = isDenied ? ` Copy it to where this user may read it${input}.` : '';
  const sentence = `The file ${file} cannot be read: ${systemReason(cause)}.${remedy}`;
  return new CommandError('file_not_readable', sentence, { cause });
}
