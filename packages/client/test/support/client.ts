import { issueKey } from '../../../../test/support/graphql.js';
import type { TestService } from '../../../../test/support/service.js';
import { DataImportClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/options.js';
import type { RetryEvent } from '../../src/retry.js';

/** A client, with a clock that does not wait. */
export interface GivenClient {
  readonly client: DataImportClient;
  readonly apiKey: string;
  readonly apiKeyId: string;
  /** How long it would have waited, in milliseconds. */
  readonly waits: number[];
  readonly retries: RetryEvent[];
}

/** A client of an organisation of the service, which it reaches at `baseUrl`. */
export async function givenClient(
  service: TestService,
  organisationId: string,
  options: Partial<ClientOptions> = {},
): Promise<GivenClient> {
  const { id, key } = await issueKey(service, organisationId);
  const waits: number[] = [];
  const retries: RetryEvent[] = [];
  const client = new DataImportClient({
    baseUrl: service.baseUrl,
    apiKey: key,
    onRetry: (event) => retries.push(event),
    clock: {
      now: () => performance.now(),
      sleep: (ms) => {
        waits.push(ms);
        return Promise.resolve();
      },
      random: () => 0,
    },
    ...options,
  });
  return { client, apiKey: key, apiKeyId: id, waits, retries };
}

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing failed.');
}
