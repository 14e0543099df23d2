import type { ComponentChildren, VNode } from 'preact';

interface TableProps {
  readonly caption: string;
  /** Further classes of the table. */
  readonly kind?: string;
  readonly children: ComponentChildren;
}

/** A table with a caption. Where it is wider than the window it scrolls by itself, with the keyboard too. */
export function Table({ caption, kind = '', children }: TableProps): VNode {
  return (
    <div class="scroll" role="group" aria-label={caption} tabindex={0}>
      <table class={`data ${kind}`.trim()}>
        <caption>{caption}</caption>
        {children}
      </table>
    </div>
  );
}
