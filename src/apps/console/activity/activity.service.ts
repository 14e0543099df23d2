import { Injectable } from '@nestjs/common';
import { recordedAsKey } from '../../../auth/recorded-as-key.js';
import { run, type QueryParameters } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { readNewest, type ListCursor, type ListPage } from '../common/cursor.js';
import { readText } from '../common/parameters.js';
import type { Members } from '../common/recorded-values.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { organisationOf } from '../signed-in/signed-in-user.js';
import { toEvent, toViewEvent } from './activity-events.js';
import { ACTIVITY, VIEWS } from './activity.queries.js';
import { CHOICES, type Choice, type RecordedActivity, type ShownActivity } from './activity.types.js';
import { listedActions } from './recorded-actions.js';

/** Events of a page. */
const LISTED_MAX = 50;
/** API keys whose names are shown. */
const KEYS_MAX = 500;
const UNDOS: readonly string[] = ['supplier.undo_imports', 'account.undo_imports'];

/** The activity of a supplier, and who has viewed what. */
@Injectable()
export class ActivityService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly readers: RequestReadersService,
  ) {}

  /**
   * A page of the runs and changes of a supplier, or of its views, which only operators may see. Invalid parameters are
   * ignored.
   *
   * Source: choices A8, C2, C3, O6.
   */
  async page(request: SupplierRequest): Promise<ShownActivity> {
    const { user, supplier } = request;
    const choice = choiceOf(request);
    if (choice === 'views') return { ...request, choice, events: await this.views(request) };
    const page = await this.recorded(request, listedActions(user.kind, choice));
    const rows = page.rows.map((entry) => toEvent(user.kind, supplier.code, entry));
    return { ...request, choice, events: { ...page, rows } };
  }

  /**
   * When and by whom the supplier was paused, and when, by whom and why an import of it was undone, if it is. An admin sees no names and
   * reasons.
   *
   * Source: choices A8, C2.
   */
  async reasons({ user, supplier }: SupplierRequest, isUndone: boolean): Promise<TimelineEvent[]> {
    const of = { supplier, query: {} };
    const changes = supplier.status === 'paused' ? (await this.recorded(of, ['supplier.set'])).rows : [];
    const pause = changes.find(({ details }) => (details.to as Members | undefined)?.status === 'paused');
    const undos = isUndone ? (await this.recorded(of, UNDOS)).rows : [];
    return [pause, undos[0]].flatMap((entry) => (entry ? [toEvent(user.kind, supplier.code, entry)] : []));
  }

  private recorded(
    { supplier, query }: Pick<SupplierRequest, 'supplier' | 'query'>,
    actions: readonly string[],
  ): Promise<ListPage<RecordedActivity>> {
    return readNewest(readText(query.after), LISTED_MAX, (before, countMax) =>
      this.work.query((tx) => run(tx, ACTIVITY, { ...pageOf(supplier.code, before, countMax), actions })),
    );
  }

  private async views({
    user,
    supplier: { code },
    query,
  }: SupplierRequest): Promise<ListPage<TimelineEvent>> {
    const page = await readNewest(readText(query.after), LISTED_MAX, (before, countMax) =>
      this.work.query((tx) => run(tx, VIEWS, pageOf(code, before, countMax))),
    );
    const reader = await this.readers.of(organisationOf(user));
    const senders = [...(await reader.senders(KEYS_MAX))];
    const names = new Map(
      senders.map(([id, { organisation, label }]) => [recordedAsKey(id), `${organisation}, key ${label}`]),
    );
    return { ...page, rows: page.rows.map((view) => toViewEvent(code, view, names)) };
  }
}

function pageOf(code: string, { exact_at, id }: ListCursor, countMax: number): QueryParameters {
  return { import_supplier: code, before_at: exact_at, before_id: id, count_max: countMax };
}

function choiceOf({ user, query }: SupplierRequest): Choice | undefined {
  const choice = CHOICES.find((known) => known === query.show);
  return choice === 'views' && user.kind === 'admin' ? undefined : choice;
}
