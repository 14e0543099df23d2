import type { ComponentChildren, VNode } from 'preact';

/** A name with its value. A pair without a value is left out. */
export type Pair = readonly [name: string, value: ComponentChildren];

interface PairsProps {
  readonly of: readonly Pair[];
}

/** Names with their values, one per line. */
export function Details({ of }: PairsProps): VNode | null {
  return <Pairs kind="details" of={of} />;
}

/** Numbers and times with their names, side by side. */
export function Statistics({ of }: PairsProps): VNode | null {
  return <Pairs kind="statistics" of={of} />;
}

function Pairs({ kind, of }: PairsProps & { kind: string }): VNode | null {
  const shown = of.filter(([, value]) => (value ?? false) !== false && value !== '');
  if (shown.length === 0) return null;
  return (
    <dl class={kind}>
      {shown.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
