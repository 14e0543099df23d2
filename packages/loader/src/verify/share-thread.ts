import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { UnreadableInput, WrongUsage } from '@data-import/files';
import type { Share, ShareTask } from './entries-share.js';

/** The message that a thread sends. An error that is sent to another thread loses its class, so it is described. */
export type ThreadAnswer =
  | { readonly share: Share }
  | {
      readonly failure: {
        readonly is: 'input' | 'usage' | 'other';
        readonly message: string;
        readonly code: string | undefined;
      };
    };

/**
 * Write a share of the entries in a separate thread.
 *
 * @param program the built main.ts, which is started again
 * @param signal ends the thread; files that it has written stay
 * @throws UnreadableInput, WrongUsage that name the file
 */
export async function shareInThread(program: URL, task: ShareTask, signal: AbortSignal): Promise<Share> {
  signal.throwIfAborted();
  const thread = new Worker(program, { workerData: task });
  try {
    const ended = once(thread, 'exit').then(() => {
      throw new Error('The second thread has ended early.');
    });
    const [answer] = (await Promise.race([once(thread, 'message', { signal }), ended])) as [ThreadAnswer];
    if ('share' in answer) return answer.share;
    const { is, message, code } = answer.failure;
    if (is === 'input') throw new UnreadableInput(message);
    if (is === 'usage') throw new WrongUsage(message);
    throw Object.assign(new Error(message), { code });
  } finally {
    await thread.terminate();
  }
}
