import { resultOf } from './answers.js';
import { Caller } from './caller.js';
import { checkOptions, OPTIONS } from './check-options.js';
import { readChanges, type ReadChange } from './feed.js';
import type { CallOptions, ChangesOptions, ClientOptions } from './options.js';
import type { Supplier, SupplierList } from './platform.generated.js';

const SUPPLIERS = '/v1/platform/import-suppliers/';

/** What fails for a time is asked for again, however long it takes. */
const WITHOUT_END = { attempts: Infinity, giveUpAfterMs: Infinity };

/**
 * The service, for the programs of the platform that take over what was imported. One client is enough for a program: it keeps
 * connections open and renews its token by itself.
 *
 * Every method throws a `DataImportError`, or the reason of its signal. A call that may succeed later is repeated, without an end
 * unless `retry` says otherwise.
 */
export class PlatformClient {
  readonly #caller: Caller;

  /** @throws InvalidInputError for options that cannot be */
  constructor(options: ClientOptions) {
    checkOptions(options, OPTIONS.client);
    const { retry } = options;
    this.#caller = new Caller({ ...options, retry: retry === false ? retry : { ...WITHOUT_END, ...retry } });
  }

  /** The suppliers that the key may read, each with its status and the number of its newest change. */
  async suppliers(options: CallOptions = {}): Promise<readonly Supplier[]> {
    checkOptions(options, OPTIONS.call);
    const call = { method: 'GET', path: SUPPLIERS, isRepeatable: true } as const;
    const list = await this.#caller.send(call, options, (answer) => resultOf(answer, true));
    return (list as SupplierList).suppliers;
  }

  /**
   * The changes of a supplier behind a cursor, oldest first and in constant memory. It never ends: it waits for the next change,
   * and goes on behind the last one after a failure.
   *
   * @throws FeedRestartedError when numbers have been lost, with the cursor from which to go on
   */
  changes(options: ChangesOptions): AsyncIterable<ReadChange> {
    checkOptions(options, OPTIONS.changes);
    return { [Symbol.asyncIterator]: () => readChanges(this.#caller, SUPPLIERS, options) };
  }

  /** Close all connections. Calls that are under way fail. Without it the process ends too, once no call is under way. */
  close(): void {
    this.#caller.close();
  }
}
