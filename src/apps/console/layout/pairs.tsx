import type { ComponentChildren, VNode } from 'preact';

/** A name with its value. A pair without a value is left out. */
export type Pair = readonly [name: string, value: ComponentChildren];

interface PairsProps {
  readonly pairs: readonly Pair[];
}

/** Names with their values, one per line. */
export function Details({ pairs }: PairsProps): VNode | null {
  return <Pairs kind="details" pairs={pairs} />;
}

/** The same pairs side by side, for numbers and times. */
export function Statistics({ pairs }: PairsProps): VNode | null {
  return <Pairs kind="statistics" pairs={pairs} />;
}

function Pairs({ kind, pairs }: PairsProps & { kind: string }): VNode | null {
  const visible = pairs.filter(([, value]) => (value ?? false) !== false && value !== '');
  if (visible.length === 0) return null;
  return (
    <dl class={kind}>
      {visible.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
