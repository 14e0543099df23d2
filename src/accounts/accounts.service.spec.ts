import fc from 'fast-check';
import type { Caller } from '../auth/caller.js';
import type { ReadUnitOfWork } from '../database/read-unit-of-work.js';
import type { Tx, UnitOfWork } from '../database/unit-of-work.js';
import type { GrantCache } from '../import-suppliers/grant.cache.js';
import type { SupplierIds } from '../import-suppliers/supplier-ids.js';
import type { AccountStatusBatcher } from './account-status.batcher.js';
import type { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import type { ChunkRequest, ListChunk } from './accounts.types.js';

const CALLER: Caller = {
  organisationId: 'o',
  organisationName: 'O',
  apiKeyId: 'k',
  requestId: 'r',
  receivedAtMs: 0,
};

/** The accounts of a supplier at a primary and its standby; a `tx` is the list that it reads. */
class TwoServers {
  readonly primary: string[] = [];
  readonly standby: string[] = [];

  stage(number: string): void {
    if (!this.primary.includes(number)) this.primary.push(number);
  }

  /** The standby gets what the primary has had for longest. */
  replay(count: number): void {
    this.standby.push(...this.primary.slice(this.standby.length, this.standby.length + count));
  }

  /** Two rows a chunk. */
  chunkOf(numbers: readonly string[], { after, isFirst }: ChunkRequest): ListChunk {
    const left = numbers.filter((number) => number > after).toSorted();
    const [chunk, hasMore] = [left.slice(0, 2), left.length > 2];
    const text = `${isFirst ? '[' : chunk.length > 0 ? ',' : ''}${JSON.stringify(chunk).slice(1, -1)}${hasMore ? '' : ']'}`;
    return { is_granted: true, text, last_number: chunk.at(-1) ?? null, has_more: hasMore, replayed: null };
  }
}

/** What happens before a chunk is read: which accounts are staged, how many reach the standby, and whether it answers. */
const between = fc.record({
  staged: fc.array(fc.stringMatching(/^[a-z]{1,2}$/), { maxLength: 3 }),
  replayed: fc.nat(4),
  answers: fc.boolean(),
});

describe('a list of accounts', () => {
  it('has every account that the standby had before it began, once and in order, whoever answers its chunks (S5, O8)', async () => {
    await fc.assert(
      fc.asyncProperty(between, fc.array(between, { maxLength: 12 }), async (before, later) => {
        const servers = new TwoServers();
        const events = [...later];
        let hasPrimaryAnswered = false;
        let isUsable = true;
        const happen = ({ staged, replayed, answers }: typeof before): void => {
          staged.forEach((number) => {
            servers.stage(number);
          });
          servers.replay(replayed);
          isUsable = answers;
        };
        const service = new AccountsService(
          {
            atSupplier: (_id: number, work: (at: unknown) => unknown) =>
              work({
                single: (query: (tx: Tx) => unknown) => query(servers.primary as never),
                readInTurn: (_organisationId: string, read: () => unknown) => read(),
              }),
          } as unknown as UnitOfWork,
          {} as AccountStatusBatcher,
          { find: () => Promise.resolve(1) } as unknown as SupplierIds,
          {
            listChunk: (numbers: unknown, request: ChunkRequest) => {
              const isAtPrimary = numbers === servers.primary;
              // What was seen at the primary may be missing at the standby.
              expect(hasPrimaryAnswered && !isAtPrimary).toBe(false);
              hasPrimaryAnswered ||= isAtPrimary;
              return Promise.resolve(servers.chunkOf(numbers as string[], request));
            },
          } as unknown as AccountsRepository,
          {
            get isUsable() {
              happen(events.shift() ?? { staged: [], replayed: 0, answers: true });
              return isUsable;
            },
            single: (work: (tx: Tx) => unknown) => work(servers.standby as never),
            count: () => undefined,
          } as unknown as ReadUnitOfWork,
          { isGranted: () => Promise.resolve(true) } as unknown as GrantCache,
        );
        happen(before);
        const hadBefore = [...servers.standby];
        const wanted = { importSupplier: 's', filter: 'all', limit: undefined, after: undefined } as const;
        const { body } = await service.list(CALLER, wanted);
        const parts: string[] = [];
        if (typeof body === 'string') parts.push(body);
        else for await (const part of body) parts.push(part);
        const listed = JSON.parse(parts.join('')) as string[];
        expect(listed).toEqual([...new Set(listed)].toSorted());
        expect(hadBefore.filter((number) => !listed.includes(number))).toEqual([]);
      }),
    );
  });
});
