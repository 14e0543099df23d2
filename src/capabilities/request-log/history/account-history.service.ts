import { Injectable } from '@nestjs/common';
import { inRows } from '../../../infrastructure/database/in-pages.js';
import { run } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { accountNotFound } from '../../../accounts/status/account-not-found.js';
import type { AccountRef } from '../../../ingest/account-ref.js';
import type { RequestReader } from '../requests/request-reader.js';
import { RequestReadersService } from '../requests/request-readers.service.js';
import type { Direction } from '../requests/sent-requests.types.js';
import { CHANGES, STATE } from './account-history.queries.js';
import type { AccountEvent, AccountEventRow, AccountStateRow, OtherEvent } from './account-history.types.js';

/** Events held in memory at a time. */
const PAGE_ROWS = 1_000;
/** Sorts before the id of every event. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** Sorts after the id of every event. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Which events of an account to read. */
interface Wanted {
  readonly supplierId: number;
  readonly account: AccountRef;
  /** Id of the event at which they start, exclusive. */
  readonly after: string;
  readonly countMax: number;
}

/** Reads the history of accounts. */
@Injectable()
export class AccountHistoryService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly readers: RequestReadersService,
  ) {}

  /**
   * Everything that is recorded about one account, for an operator, oldest first, in constant memory: when it was staged,
   * when it was imported or why that failed, every import request that stored something, every refused request that is
   * still kept, and the changes by operators. There may be refusals for an account number that was never staged. An erased
   * account has its erasure.
   *
   * @throws CommandError `supplier_not_found`; `account_not_found` when nothing is recorded
   * Source: choice O6.
   */
  async history(account: AccountRef): Promise<AsyncIterable<AccountEvent>> {
    const [supplierId, state] = await this.find(account);
    const reader = await this.readers.of(undefined);
    const page = (after: string): Promise<AccountEventRow[]> =>
      this.page(reader, 'ASC', { supplierId, account, after, countMax: PAGE_ROWS });
    const first = await page(FIRST_ID);
    if (!state && first.length === 0) throw accountNotFound(account);
    const others = inRows<AccountEventRow>(PAGE_ROWS, async (last) => (last ? page(last.id) : first));
    return mergedByTime(state ? eventsOf(state) : [], others);
  }

  /**
   * A page of the same events, newest first; empty when nothing is recorded.
   *
   * @param reader reads requests for the person who sees the page
   * @param before id of the last event of the previous page, if there is one
   * @throws CommandError `supplier_not_found`
   * Source: choices O6, C3, C5.
   */
  async latest(
    reader: RequestReader,
    account: AccountRef,
    before = LAST_ID,
    countMax: number,
  ): Promise<AccountEventRow[]> {
    const [supplierId, state] = await this.find(account);
    const own = (state ? eventsOf(state).map(withId) : []).filter(({ id }) => id < before);
    const others = await this.page(reader, 'DESC', { supplierId, account, after: before, countMax });
    return inOrderOfIds([...own, ...others], 'DESC').slice(0, countMax);
  }

  private find({
    importSupplier,
    externalAccountNumber,
  }: AccountRef): Promise<[id: number, state: AccountStateRow | undefined]> {
    return this.work.query(async (tx) => {
      const id = await this.suppliers.id(tx, importSupplier);
      const key = { import_supplier_id: id, external_account_number: externalAccountNumber };
      const [state] = await run(tx, STATE, key);
      return [id, state];
    });
  }

  /** The next events on one side of an event. Changes by operators come from a separate query, because they are not distributed. */
  private async page(
    reader: RequestReader,
    direction: Direction,
    { supplierId, account, after, countMax }: Wanted,
  ): Promise<AccountEventRow[]> {
    const { importSupplier, externalAccountNumber } = account;
    const requests = await reader.ofAccount({
      ...{ importSupplierId: supplierId, externalAccountNumber, after, direction, countMax },
    });
    const changes = await this.work.query((tx) =>
      run(tx, CHANGES[direction], {
        import_supplier: importSupplier,
        external_account_number: externalAccountNumber,
        after,
        count_max: countMax,
      }),
    );
    const events = requests.map((request): AccountEventRow => ({
      id: request.id,
      at: request.at,
      event: 'request',
      request,
    }));
    return inOrderOfIds([...events, ...changes], direction).slice(0, countMax);
  }
}

function inOrderOfIds(events: AccountEventRow[], direction: Direction): AccountEventRow[] {
  const sign = direction === 'ASC' ? 1 : -1;
  return events.sort((one, other) => (one.id < other.id ? -sign : sign));
}

/** Merge a few events into many; both are in the order of time. */
async function* mergedByTime(
  few: AccountEvent[],
  many: AsyncIterable<AccountEvent>,
): AsyncGenerator<AccountEvent> {
  for await (const event of many) {
    for (let [known] = few; known && known.at <= event.at; [known] = few) {
      yield known;
      few.shift();
    }
    yield event;
  }
  yield* few;
}

function eventsOf(state: AccountStateRow): OtherEvent[] {
  const { staged_at, account_created_at, service_account_number, failed_at, failure } = state;
  const events: OtherEvent[] = [{ at: staged_at, event: 'staged', members: {} }];
  if (account_created_at) {
    events.push({ at: account_created_at, event: 'imported', members: { service_account_number } });
  }
  if (failed_at && failure !== null)
    events.push({ at: failed_at, event: 'import_failed', members: { failure } });
  return events;
}

/** An id like one of version 7: its time, then its place among the events of the account's own row. */
function withId(event: OtherEvent, index: number): AccountEventRow {
  const time = event.at.getTime().toString(16).padStart(12, '0');
  return {
    ...event,
    id: `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-${String(index).padStart(12, '0')}`,
  };
}
