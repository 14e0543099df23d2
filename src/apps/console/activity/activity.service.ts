import { Injectable } from '@nestjs/common';
import { recordedAsKey } from '../../../auth/recorded-as-key.js';
import { run, type QueryParameters } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { readNewest, type ListCursor, type ListPage } from '../common/cursor.js';
import { readText } from '../common/parameters.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { organisationOf } from '../signed-in/signed-in-user.js';
import { toEvent, toViewEvent } from './activity-events.js';
import { ACTIVITY, VIEWS } from './activity.queries.js';
import { CHOICES, type Choice, type ShownActivity } from './activity.types.js';
import { listedActions } from './recorded-actions.js';

/** Events of a page. */
const LISTED_MAX = 50;
/** API keys whose names are shown. */
const KEYS_MAX = 500;

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
    const choice = choiceOf(request);
    const events = choice === 'views' ? await this.views(request) : await this.recorded(request, choice);
    return { ...request, choice, events };
  }

  private async recorded(
    { user, supplier: { code }, query }: SupplierRequest,
    kind: 'runs' | 'changes' | undefined,
  ): Promise<ListPage<TimelineEvent>> {
    const actions = listedActions(user.kind, kind);
    const page = await readNewest(readText(query.after), LISTED_MAX, (before, countMax) =>
      this.work.query((tx) => run(tx, ACTIVITY, { ...pageOf(code, before, countMax), actions })),
    );
    return { ...page, rows: page.rows.map((entry) => toEvent(user.kind, code, entry)) };
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
