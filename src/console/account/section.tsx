import type { ComponentChildren, VNode } from 'preact';
import type { ListPage } from './account.types.js';
import { accountAddress, documentAddress, type ListName } from './account-addresses.js';
import type { AccountPageView, NamedDocument } from './account.types.js';

interface SectionOptions {
  readonly id: ListName | 'account';
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A landmark with a heading (choice C5). */
export function Section({ id, title, children }: SectionOptions): VNode {
  return (
    <section id={id} class="part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </section>
  );
}

interface PagerOptions {
  readonly view: AccountPageView;
  readonly list: ListName;
  readonly page: ListPage<unknown>;
  /** What is listed, in the plural. */
  readonly of: string;
}

/** Leads to the first and to the next part of a list, when there are several. */
export function Pager({ view, list, page, of }: PagerOptions): VNode | null {
  if (!page.isContinued && page.next === undefined) return null;
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      {page.isContinued && <a href={accountAddress(view, { [list]: undefined }, list)}>Newest {of}</a>}
      {page.next !== undefined && <a href={accountAddress(view, { [list]: page.next }, list)}>Older {of}</a>}
    </nav>
  );
}

/** Leads to a document; the second link also works in a browser that shows no PDF files from a sandbox. */
export function DocumentLink({ view, document }: { view: AccountPageView; document: NamedDocument }): VNode {
  const { path, isSeen } = document;
  const href = documentAddress(view.supplier.code, view.number, path);
  return (
    <span class="document">
      <a href={href}>{path}</a>{' '}
      <a href={href} download aria-label={`Download ${path}`}>
        Download
      </a>{' '}
      {!isSeen && <span class="muted">not seen in the store yet</span>}
    </span>
  );
}

/** Names with their values. */
export function Details({
  of,
}: {
  of: readonly (readonly [name: string, value: ComponentChildren])[];
}): VNode | null {
  if (of.length === 0) return null;
  return (
    <dl class="details">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
