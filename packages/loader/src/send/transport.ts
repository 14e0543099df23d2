import { DataImportError, jsonText, type DataImportClient } from '@data-import/client';
import { codeOf } from '@data-import/files';
import { operationOf } from '../kinds/fields.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import type { Transport } from './delivery.js';
import type { Answer } from './answer.js';

/** Sends requests with the client. The client's retries are off, because one limiter decides for all workers. */
export class ClientTransport implements Transport {
  constructor(
    private readonly client: DataImportClient,
    private readonly options: { readonly isDryRun: boolean; readonly forceAddToCurrentStatement: boolean },
  ) {}

  async send(kind: Kind, body: string, requestId: string, signal: AbortSignal): Promise<Answer> {
    try {
      return { status: 201, body: await this.post(kind, body, requestId, signal) };
    } catch (error) {
      if (error instanceof DataImportError) return answerOf(error);
      // The error is the signal's reason: the request was aborted.
      if (signal.aborted) return { status: 0, body: undefined };
      throw error;
    }
  }

  private post(kind: Kind, text: string, requestId: string, signal: AbortSignal): Promise<unknown> {
    const { isDryRun, forceAddToCurrentStatement } = this.options;
    const isForced = operationOf(kind).parameters.includes('force_add_to_current_statement');
    return this.client[FACTS[kind].operation](jsonText(text), {
      requestId,
      signal,
      retry: false,
      ...(isDryRun && { dryRun: true }),
      ...(isForced && { forceAddToCurrentStatement }),
    });
  }
}

/** Convert a client error back into the answer that it stands for. */
export function answerOf(error: DataImportError): Answer {
  const { code, detail, errors, status, retryable, retryAfterSeconds } = error;
  // When the client calls an error not retryable, such as an untrusted certificate, a retry does not help.
  const withoutAnswer = retryable ? 0 : 400;
  const systemCode = codeOf(error.cause);
  return {
    status: code === 'api_key_refused' ? 401 : (status ?? withoutAnswer),
    body: { code, detail, errors },
    ...(systemCode !== undefined && { systemCode }),
    ...(retryAfterSeconds !== undefined && { retryAfterMs: retryAfterSeconds * 1_000 }),
  };
}
