import { Injectable } from '@nestjs/common';
import { AccountHistoryService } from '../../history/account-history.service.js';
import type { AccountEventRow } from '../../history/account-history.types.js';
import type { AccountRef } from '../../accounts/account-ref.js';
import { itemOf, type ImportKind } from '../../items/items.js';
import { formatCount } from '../common/format.js';
import { SendersService } from '../viewers/senders.service.js';
import { ANOTHER_ORGANISATION, type Senders } from '../viewers/senders.types.js';
import type { Viewer } from '../viewers/viewer.js';
import type { ViewedEvent } from './account.types.js';
import { readPage, type ListPage } from './cursor.js';

const PAGE_EVENTS = 50;

type Members = Readonly<Record<string, unknown>>;
type Details = ViewedEvent['details'];

/** The history of an account as a viewer may see it. */
@Injectable()
export class HistoryViewService {
  constructor(
    private readonly histories: AccountHistoryService,
    private readonly senders: SendersService,
  ) {}

  /**
   * A page of the history, newest first. An admin sees neither which other organisation has sent a request and under which id, nor
   * operators' names and reasons.
   *
   * Source: choices C3, C5.
   */
  async page(viewer: Viewer, account: AccountRef, after: string | undefined): Promise<ListPage<ViewedEvent>> {
    const events = await readPage(
      ['uuid'],
      after,
      PAGE_EVENTS,
      ([before], countMax) => this.histories.latest(account, before, countMax),
      ({ id }) => [id],
    );
    const keys = events.rows.flatMap(({ members }) => textOf(members, 'api_key_id') ?? []);
    const senders = await this.senders.list(viewer, keys);
    return { ...events, rows: events.rows.map((row) => toEvent(row, viewer, senders)) };
  }
}

function toEvent({ at, event, members }: AccountEventRow, viewer: Viewer, senders: Senders): ViewedEvent {
  const apiKeyId = textOf(members, 'api_key_id');
  const isHidden = apiKeyId !== undefined && !senders.isKnown(apiKeyId);
  const sender = senders.find(apiKeyId ?? '');
  const by = isHidden ? ANOTHER_ORGANISATION : sender ? `${sender.organisation}, key ${sender.label}` : null;
  const ofRequest = requestDetails(members, isHidden);
  switch (event) {
    case 'staged':
      return { at, title: 'Staged', kind: 'other', by: null, details: [] };
    case 'imported': {
      const number = textOf(members, 'service_account_number') ?? '';
      return { at, title: `Imported as ${number}`, kind: 'stored', by: null, details: [] };
    }
    case 'import_failed': {
      const details: Details = [['Reason', textOf(members, 'failure') ?? '']];
      return { at, title: 'Import failed', kind: 'refused', by: null, details };
    }
    case 'import_request': {
      const stored: ViewedEvent = { at, title: storedTitle(members), kind: 'stored', by, details: ofRequest };
      const undoneAt = textOf(members, 'undone_at');
      return undoneAt === undefined ? stored : { ...stored, kind: 'other', undoneAt: new Date(undoneAt) };
    }
    case 'refusal':
      return { at, title: refusedTitle(members), kind: 'refused', by, details: ofRequest };
    case 'operator_change':
      return changeOf(at, members, viewer);
  }
}

function storedTitle(members: Members): string {
  const counts = Object.entries((members.counts ?? {}) as Record<string, number>)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${formatCount(count)} ${nameOf(kind, count)}`);
  return `Stored ${counts.join(' and ')}`;
}

/** @param kind in the plural: notes, transactions, statements, payment_instructions */
function nameOf(kind: string, count: number): string {
  const words = kind.replaceAll('_', ' ');
  return count === 1 ? words.slice(0, -1) : words;
}

function refusedTitle(members: Members): string {
  const kind = itemOf(textOf(members, 'kind') as ImportKind).requestWords;
  const dryRun = members.dry_run === true ? ', dry run' : '';
  return `Refused ${kind}: ${textOf(members, 'status') ?? ''} ${textOf(members, 'code') ?? ''}${dryRun}`;
}

function requestDetails(members: Members, isHidden: boolean): Details {
  const field = textOf(members, 'field_code');
  const attr = textOf(members, 'attr') ?? '';
  return [
    ...named('Field', field === undefined ? undefined : [field, attr].filter(Boolean).join(' at ')),
    ...(isHidden ? [] : named('Request', textOf(members, 'request_id'))),
    ...(isHidden ? [] : named('Trace', textOf(members, 'trace_id'))),
  ];
}

function changeOf(at: Date, members: Members, viewer: Viewer): ViewedEvent {
  const action = textOf(members, 'action') ?? '';
  const title = `Change by an operator: ${action.replace(/^account\./, '').replaceAll('_', ' ')}`;
  if (viewer.kind === 'admin') return { at, title, kind: 'other', by: null, details: [] };
  const details = changedValues((members.details ?? {}) as Members);
  return { at, title, kind: 'other', by: textOf(members, 'operator') ?? null, details };
}

/** Values that were changed have members `from` and `to`; all others are what they are. */
function changedValues({ from, to, ...others }: Members): Details {
  const before = (from ?? {}) as Members;
  const changes = Object.entries((to ?? {}) as Members).map(
    ([name, value]) => [name, `${shown(before[name])} → ${shown(value)}`] as const,
  );
  return [...Object.entries(others).map(([name, value]) => [name, shown(value)] as const), ...changes];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function named(name: string, value: string | undefined): Details {
  return value === undefined || value === '' ? [] : [[name, value]];
}

function textOf(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
