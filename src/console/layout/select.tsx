import type { VNode } from 'preact';

interface SelectProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: string | undefined;
}

/** A choice of one value of a filter, or of all. */
export function Select({ id, name, label, options, chosen }: SelectProps): VNode {
  return (
    <div>
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        <option value="">All</option>
        {options.map(({ value, text }) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
