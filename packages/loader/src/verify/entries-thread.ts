import { NO_MAPPING, UnreadableInput, WrongUsage } from '@data-import/files';
import { writeShare, type ShareTask } from './entries-share.js';
import type { ThreadAnswer } from './share-thread.js';
import { parseKind } from '../kinds/mapping.js';

/**
 * Write a share of the entries in a thread.
 *
 * @returns the message for the main thread, see share-thread.ts
 */
export async function answerOfThread(task: ShareTask): Promise<ThreadAnswer> {
  const mapping = new Map(
    [...task.mappings].map(([kind, text]) => [kind, parseKind(kind, text, '--mapping')]),
  );
  try {
    return { share: await writeShare(task, { mappingOf: (kind) => mapping.get(kind) ?? NO_MAPPING }) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const is = error instanceof UnreadableInput ? 'input' : error instanceof WrongUsage ? 'usage' : 'other';
    return { failure: { is, message, code } };
  }
}
