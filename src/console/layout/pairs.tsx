import type { ComponentChildren, VNode } from 'preact';

/** A name with its value. */
export type Pair = readonly [name: string, value: ComponentChildren];

interface PairsProps {
  readonly of: readonly Pair[];
}

/** Names with their values, a line each; nothing when there are none. */
export function Details({ of }: PairsProps): VNode | null {
  return of.length === 0 ? null : <Pairs kind="details" of={of} />;
}

/** Numbers and times with their names, side by side. */
export function Statistics({ of }: PairsProps): VNode {
  return <Pairs kind="statistics" of={of} />;
}

function Pairs({ kind, of }: PairsProps & { kind: string }): VNode {
  return (
    <dl class={kind}>
      {of.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
