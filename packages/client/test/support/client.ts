import { issueKey } from '../../../../test/support/graphql.js';
import type { TestService } from '../../../../test/support/service.js';
import { DataImportClient } from '../../src/client.js';
import type { ClientOptions } from '../../src/options.js';
import type { RetryEvent } from '../../src/retry.js';

/** A client whose clock does not wait. */
export interface GivenClient {
  readonly client: DataImportClient;
  readonly apiKey: string;
  readonly apiKeyId: string;
  /** The pauses that it would have made, in milliseconds. */
  readonly waits: number[];
  readonly retries: RetryEvent[];
}

/** Create a client for an organisation of the service, with a new key. */
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

/** The error with which a promise is rejected. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Nothing failed.');
}
