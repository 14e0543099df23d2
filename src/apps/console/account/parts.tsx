import type { ComponentChildren, VNode } from 'preact';
import type { ItemKind } from '../../../ingest/kinds/item-kind.js';
import { capitalised } from '../common/format.js';
import { DateTime, Day } from '../layout/date-time.js';
import { Pager } from '../layout/pager.js';
import { Details } from '../layout/pairs.js';
import { Section } from '../layout/section.js';
import { accountAddress, documentAddress } from './account-addresses.js';
import type { ListName } from './account-query.js';
import type { AccountName, AccountPageView } from './account.types.js';
import type { ListPage } from '../common/cursor.js';

interface ListPagerProps {
  readonly view: AccountPageView;
  readonly list: ListName;
  readonly page: ListPage<unknown>;
  /** The plural noun for the entries of the list, used in its links. */
  readonly listed: string;
}

/** Leads to the newest and to older rows of a list, when it has several pages. */
export function ListPager({ view, list, page, listed }: ListPagerProps): VNode | null {
  return (
    <Pager
      page={page}
      addressOf={(after) => accountAddress(view, { [list]: after }, list)}
      label={`Pages of ${listed}`}
      firstText={`Newest ${listed}`}
      nextText={`Older ${listed}`}
    />
  );
}

interface ListSectionProps<Row> extends ListPagerProps {
  readonly page: ListPage<Row>;
  readonly title: string;
  /** The text for an empty list. */
  readonly empty: string;
  readonly children: (rows: readonly Row[]) => ComponentChildren;
}

/** A list of the page with its heading. */
export function ListSection<Row>({ title, empty, children, ...list }: ListSectionProps<Row>): VNode {
  const { rows, isContinued } = list.page;
  return (
    <Section id={list.list} kind="part" title={title}>
      {rows.length === 0 && !isContinued ? <p class="empty">{empty}</p> : children(rows)}
      <ListPager {...list} />
    </Section>
  );
}

interface DocumentLinkProps {
  readonly view: AccountName;
  readonly path: string;
  readonly isSeen: boolean;
}

/** Paths of one account often begin alike, so the name of a link has the end of the path. */
const NAMED_CHARACTERS = 80;

/** Links to a document. The second link also works in a browser that does not show PDF files from a sandbox. */
export function DocumentLink({ view, path, isSeen }: DocumentLinkProps): VNode {
  const href = documentAddress(view.supplier.code, view.accountNumber, path);
  return (
    <span class="document">
      <a href={href}>{path}</a>{' '}
      <a href={href} download aria-label={`Download ${Array.from(path).slice(-NAMED_CHARACTERS).join('')}`}>
        Download
      </a>{' '}
      {!isSeen && <span class="muted">not found in the document store yet</span>}
    </span>
  );
}

interface FieldsProps<Kind extends ItemKind> {
  readonly kind: Kind;
  readonly item: Readonly<Record<keyof Kind['fields'], unknown>>;
  /** Fields that the page shows in another way. */
  readonly except: readonly (keyof Kind['fields'])[];
}

/** The fields of an item that have a value, with their labels. */
export function Fields<Kind extends ItemKind>({ kind, item, except }: FieldsProps<Kind>): VNode | null {
  const fields = Object.entries(kind.fields).filter(([name]) => !except.includes(name));
  return (
    <Details
      pairs={fields.map(([name, { label = capitalised(name.replaceAll('_', ' ')) }]) => {
        const value = item[name as keyof Kind['fields']];
        return [label, value === null || value === '' ? null : <Value value={value} />];
      })}
    />
  );
}

function Value({ value }: { value: unknown }): VNode {
  if (value instanceof Date) return <DateTime at={value} />;
  return <span class="text">{typeof value === 'string' ? value : JSON.stringify(value)}</span>;
}

export function Days({ from, to }: { from: string; to: string }): VNode {
  return (
    <>
      <Day day={from} /> to <Day day={to} />
    </>
  );
}
