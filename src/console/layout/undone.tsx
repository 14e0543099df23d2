import type { VNode } from 'preact';
import { Moment } from './date-time.js';

/** Marks an import request whose rows were removed again (choice V7). */
export function Undone({ at }: { at: Date }): VNode {
  return (
    <>
      {' '}
      <span class="badge badge-undone">undone</span> <Moment at={at} />
    </>
  );
}
