import { resultOf } from './answers.js';
import { Caller } from './caller.js';
import { checkOptions, OPTIONS } from './check-options.js';
import { readChanges, type ReadChange } from './feed.js';
import type { CallOptions, ChangesOptions, ClientOptions } from './options.js';
import type { Supplier, SupplierList } from './platform.generated.js';

const SUPPLIERS = '/v1/platform/import-suppliers/';

/** Temporary failures are retried indefinitely. */
const INDEFINITELY = { attempts: Infinity, giveUpAfterMs: Infinity };

/**
 * The client for the platform's programs that take over imported data. A program needs only one: it keeps connections open and
 * renews its token automatically.
 *
 * Every method throws a `DataImportError`, or the reason of its signal. A call that may succeed later is retried, indefinitely
 * unless `retry` sets a limit.
 */
export class PlatformClient {
  readonly #caller: Caller;

  /** @throws InvalidInputError for invalid options */
  constructor(options: ClientOptions) {
    checkOptions(options, OPTIONS.client);
    const { retry } = options;
    this.#caller = new Caller({ ...options, retry: retry === false ? retry : { ...INDEFINITELY, ...retry } });
  }

  /** The suppliers that the key may read, each with its status and the sequence number of its newest change. */
  async suppliers(options: CallOptions = {}): Promise<readonly Supplier[]> {
    checkOptions(options, OPTIONS.call);
    const call = { method: 'GET', path: SUPPLIERS, isRepeatable: true } as const;
    const list = await this.#caller.send(call, options, (answer) => resultOf(answer, true));
    return (list as SupplierList).suppliers;
  }

  /**
   * The changes of a supplier after a cursor, oldest first and in constant memory. The iteration never ends: it waits for the next
   * change, and after a failure it resumes after the last one.
   *
   * @throws FeedRestartedError when sequence numbers have been lost, with the cursor from which to continue
   */
  changes(options: ChangesOptions): AsyncIterable<ReadChange> {
    checkOptions(options, OPTIONS.changes);
    return { [Symbol.asyncIterator]: () => readChanges(this.#caller, SUPPLIERS, options) };
  }

  /** Close all connections. Calls in progress fail. Closing is optional: open connections do not keep the process alive. */
  close(): void {
    this.#caller.close();
  }
}
