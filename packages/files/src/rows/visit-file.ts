import type { Hash } from 'node:crypto';
import { FileRecords, type FileOptions, type Visit } from './file-records.js';
import type { MappingUse } from './rules.js';

/**
 * Visit the records of a file, from its beginning.
 *
 * @param use the options of {@link FileRecords.open}. `signal` ends the work by throwing its reason. `blockRead` is
 * called after each block of records with the number of unpacked bytes so far, and returns whether to continue
 * @returns the number of unpacked bytes that were read, and the use of the mapping
 */
export async function visitFile(
  options: FileOptions,
  name: string,
  visit: Visit,
  use: {
    readonly hash?: Hash;
    readonly isReused?: boolean;
    readonly signal?: AbortSignal | undefined;
    readonly blockRead?: (bytes: number) => Promise<boolean>;
  } = {},
): Promise<{ readonly unpackedBytes: number } & MappingUse> {
  const records = await FileRecords.open(options, name, 0, use);
  try {
    for (let isMore = true; isMore;) {
      use.signal?.throwIfAborted();
      isMore = await records.read(Infinity, visit);
      if (use.blockRead && !(await use.blockRead(records.offset))) break;
    }
    return { unpackedBytes: records.offset, ...records.use };
  } finally {
    await records.close();
  }
}
