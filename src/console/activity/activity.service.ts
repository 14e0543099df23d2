import { Injectable } from '@nestjs/common';
import { recordedAsKey } from '../../auth/recorded-as-key.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import { readPage, type ListPage } from '../common/cursor.js';
import { readText, type SentQuery } from '../common/parameters.js';
import type { TimelineEvent } from '../layout/timeline.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { organisationOf, type Viewer } from '../viewers/viewer.js';
import { toEvent, toViewEvent } from './activity-events.js';
import { ActivityRepository } from './activity.repository.js';
import { CHOICES, type ActivityCursor, type Choice, type ShownActivity } from './activity.types.js';
import { listedActions } from './recorded-actions.js';

/** Events of a page. */
const LISTED_MAX = 50;
/** API keys whose names are shown. */
const KEYS_MAX = 500;

/** What was done with a supplier, and who has seen what of it. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    private readonly repository: ActivityRepository,
  ) {}

  /**
   * A page of the runs and changes of a supplier, or of its views, which only operators are shown. What is not understood of the
   * address is left out.
   *
   * @throws PageNotFound
   * Source: choices A8, C2, C3, O6.
   */
  async page(viewer: Viewer, code: string, query: SentQuery): Promise<ShownActivity> {
    const supplier = await this.suppliers.find(viewer, code);
    const choice = choiceOf(viewer, query.show);
    const after = readText(query.after);
    const events =
      choice === 'views'
        ? await this.views(viewer, code, after)
        : await this.recorded(viewer, code, choice, after);
    return { viewer: viewer.kind, supplier, choice, events };
  }

  private async recorded(
    viewer: Viewer,
    code: string,
    kind: 'runs' | 'changes' | undefined,
    after: string | undefined,
  ): Promise<ListPage<TimelineEvent>> {
    const actions = listedActions(viewer.kind, kind);
    const page = await readNewest(after, (before, countMax) =>
      this.work.single((tx) => this.repository.list(tx, code, actions, before, countMax)),
    );
    return { ...page, rows: page.rows.map((entry) => toEvent(viewer.kind, code, entry)) };
  }

  private async views(
    viewer: Viewer,
    code: string,
    after: string | undefined,
  ): Promise<ListPage<TimelineEvent>> {
    const page = await readNewest(after, (before, countMax) =>
      this.work.single((tx) => this.repository.listViews(tx, code, before, countMax)),
    );
    const reader = await this.readers.of(organisationOf(viewer));
    const senders = [...(await reader.senders(KEYS_MAX))];
    const names = new Map(
      senders.map(([id, { organisation, label }]) => [recordedAsKey(id), `${organisation}, key ${label}`]),
    );
    return { ...page, rows: page.rows.map((view) => toViewEvent(code, view, names)) };
  }
}

function choiceOf({ kind }: Viewer, show: unknown): Choice | undefined {
  const choice = CHOICES.find((known) => known === show);
  return choice === 'views' && kind !== 'operator' ? undefined : choice;
}

function readNewest<Row extends ActivityCursor>(
  after: string | undefined,
  read: (before: ActivityCursor, countMax: number) => Promise<Row[]>,
): Promise<ListPage<Row>> {
  return readPage(
    ['timestamptz', 'uuid'],
    after,
    LISTED_MAX,
    ([exact_at = '', id = ''], countMax) => read({ exact_at, id }, countMax),
    ({ exact_at, id }) => [exact_at, id],
  );
}
