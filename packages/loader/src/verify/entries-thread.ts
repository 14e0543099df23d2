// A program of its own: the thread that writes a share of the entries, see share-thread.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { UnreadableInput, WrongUsage } from '../common/errors.js';
import { NO_MAPPING, parseKind } from '../rows/mapping.js';
import { writeShare, type ShareTask } from './entries-share.js';
import type { ThreadAnswer } from './share-thread.js';

async function answer(): Promise<ThreadAnswer> {
  const task = workerData as ShareTask;
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

parentPort?.postMessage(await answer());
