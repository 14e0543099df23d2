import type { VNode } from 'preact';
import { DateTime } from './date-time.js';

/** Marks an import request that was undone (choice V7). */
export function Undone({ at }: { at: Date }): VNode {
  return (
    <>
      {' '}
      <span class="badge badge-undone">undone</span> <DateTime at={at} />
    </>
  );
}
