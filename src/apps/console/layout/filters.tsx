import type { ComponentChildren, JSX, VNode } from 'preact';

/** A filter with one of several values or all, or one whose value is typed in. */
interface Filter {
  readonly name: string;
  readonly label: string;
  readonly value: string | null | undefined;
  readonly options?: readonly (readonly [value: string, text: string])[];
  /** Attributes of the input for a value that is typed in. */
  readonly input?: JSX.IntrinsicElements['input'];
}

interface FiltersProps {
  readonly action: string;
  readonly filters: readonly Filter[];
  readonly children?: ComponentChildren;
}

/** The form with the filters of a list. On a phone a button opens it (console.css). */
export function Filters({ action, filters, children }: FiltersProps): VNode {
  return (
    <>
      <button type="button" class="plain menu" popovertarget="filters">
        Filters
      </button>
      <div id="filters" popover="auto">
        <form class="filters" action={action}>
          {filters.map((filter) => (
            <div>
              <label for={`filter-${filter.name}`}>{filter.label}</label>
              <Control {...filter} />
            </div>
          ))}
          {children}
          <button>Filter</button>
        </form>
      </div>
    </>
  );
}

function Control({ name, value, options, input }: Filter): VNode {
  const id = `filter-${name}`;
  if (!options) return <input id={id} name={name} value={value ?? undefined} autocomplete="off" {...input} />;
  return (
    <select id={id} name={name}>
      <option value="">All</option>
      {options.map(([one, text]) => (
        <option value={one} selected={one === value}>
          {text}
        </option>
      ))}
    </select>
  );
}
