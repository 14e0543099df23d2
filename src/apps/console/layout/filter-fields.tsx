import type { JSX, VNode } from 'preact';

interface LabelledProps {
  /** Defaults to the name. */
  readonly id?: string;
  readonly name: string;
  readonly label: string;
}

interface SelectProps extends LabelledProps {
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly chosen: string | undefined;
}

/** A filter with one of several values, or all. */
export function Select({ name, id = name, label, options, chosen }: SelectProps): VNode {
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

/** A filter whose value is typed in. Additional attributes are those of the input. */
export function Field({
  name,
  id = name,
  label,
  ...input
}: LabelledProps & JSX.IntrinsicElements['input']): VNode {
  return (
    <div>
      <label for={id}>{label}</label>
      <input id={id} name={name} {...input} />
    </div>
  );
}
