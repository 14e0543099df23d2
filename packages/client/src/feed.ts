import { queryOf, segment } from './address.js';
import type { Caller } from './caller.js';
import { ServiceError } from './errors.js';
import type { Change } from './platform.generated.js';
import { LineParser } from './line-parser.js';
import type { ChangesOptions } from './options.js';
import { partsOf, readOn } from './read-on.js';
import type { OpenAnswer } from './transport.js';

/** A change, and the cursor from which to go on when it is done. */
export interface ReadChange {
  readonly change: Change;
  readonly cursor: string;
}

/** How long the service may keep a request open while there is no change. */
const WAIT_SECONDS = 20;

/**
 * An endless stream of a supplier's changes. Each answer streams the changes that exist; the service delays it until there is one.
 *
 * @param path of the list of suppliers
 */
export function readChanges(
  caller: Caller,
  path: string,
  { supplier, cursor, reader, ...options }: ChangesOptions,
): AsyncGenerator<ReadChange, void, undefined> {
  const address = `${path}${segment(supplier, 'supplier')}changes/`;
  let last = cursor ?? undefined;
  return readOn(caller, options, {
    isOver: () => false,
    async *next(own) {
      const query = queryOf({ cursor: last, reader, wait: WAIT_SECONDS });
      const call = { method: 'GET', path: address + query, isRepeatable: true } as const;
      const how = { accept: 'application/x-ndjson', waitMs: WAIT_SECONDS * 1_000 };
      const answer = await caller.stream({ ...call, ...how }, own);
      for await (const changes of partsOf(answer, new LineParser<Change>())) {
        const epoch = epochOf(answer);
        const read = changes.map((change) => ({ change, cursor: `${epoch}-${change.sequence}` }));
        last = read.at(-1)?.cursor ?? last;
        yield read;
      }
    },
  });
}

function epochOf({ headers: { 'feed-epoch': epoch }, requestId, status }: OpenAnswer): string {
  if (typeof epoch === 'string') return epoch;
  const detail = 'The answer has no header Feed-Epoch.';
  throw new ServiceError({ code: 'unexpected_answer', detail, requestId, status });
}
