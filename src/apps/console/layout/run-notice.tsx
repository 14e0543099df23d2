import type { ComponentChildren, VNode } from 'preact';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import { formatCount } from '../common/format.js';
import { DateTime } from './date-time.js';

interface RunNoticeProps {
  readonly run: Run;
  /** A noun, such as `retry`. */
  readonly name: string;
  /** The progress in words, such as `2 accounts are pending again`. */
  readonly done: string;
  /** The sentences that follow a complete run, and one that ended early. */
  readonly complete?: ComponentChildren;
  readonly early: ComponentChildren;
}

const ENDS = {
  complete: 'is complete',
  failed: 'has failed',
  interrupted: 'ended early',
  lost: 'ended early',
};

/** Says how far a run in the background is, or how it ended. */
export function RunNotice({ run, name, done, complete, early }: RunNoticeProps): VNode {
  const { startedAt, expected, outcome } = run;
  return (
    <p class="notice" role="status">
      {outcome === null ? (
        <>
          A {name} is running since <DateTime at={startedAt} />: {done} so far
          {expected !== null && `, of ${formatCount(expected)}`}.
        </>
      ) : (
        <>
          The {name} of <DateTime at={startedAt} /> {ENDS[outcome]}: {done}.{' '}
          {outcome === 'complete' ? complete : early}
        </>
      )}
    </p>
  );
}
