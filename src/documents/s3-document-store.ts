import type { S3 } from '@aws-sdk/client-s3';
import type { OnModuleDestroy } from '@nestjs/common';
import { bucketAddress } from '../config/document-store-setting.js';
import { StartError } from '../config/env.js';
import { DocumentStore, StorageError } from './document-store.js';

/** How long the service waits for the object store, in milliseconds, and how often it asks. */
export interface S3Limits {
  readonly connectTimeoutMs: number;
  /** From the end of a request to the head of its answer. */
  readonly answerTimeoutMs: number;
  /** All tries of one look-up together. */
  readonly totalTimeoutMs: number;
  readonly triesMax: number;
}

const LIMITS: S3Limits = {
  connectTimeoutMs: 2_000,
  answerTimeoutMs: 5_000,
  totalTimeoutMs: 10_000,
  triesMax: 3,
};

/** No object store of this kind keeps anything under a longer key; it refuses to be asked for one. */
const KEY_BYTES_MAX = 1_024;

/** How long a bucket that was there is taken to be there still. */
const BUCKET_FRESH_MS = 10_000;

/**
 * Documents in a bucket of any S3-compatible object store.
 *
 * Credentials come from the standard chain of the AWS tools: environment, profile, container or instance role. They must
 * allow s3:GetObject and s3:ListBucket; without the second, S3 itself refuses to say that something is not there.
 *
 * Source: contract F4.
 */
export class S3DocumentStore extends DocumentStore implements OnModuleDestroy {
  private readonly bucket: string;
  private opened?: Promise<S3>;
  private bucketCheck?: { readonly startedAtMs: number; readonly done: Promise<void> };

  /** @param address `s3://bucket?endpoint=…&region=…`; with an endpoint buckets are named in the path, not the host */
  constructor(
    private readonly address: string,
    private readonly limits: S3Limits = LIMITS,
  ) {
    super();
    this.bucket = bucketAddress(address).bucket;
  }

  /**
   * Prepare to ask; the object store itself is not asked yet.
   *
   * @throws StartError when no region is named, neither in the address nor where the AWS tools look
   */
  override async open(): Promise<void> {
    await this.client();
  }

  async exists(key: string, stop: AbortSignal): Promise<boolean> {
    const object = { Bucket: this.bucket, Key: key };
    const client = await this.client();
    const isPossible = Buffer.byteLength(key) <= KEY_BYTES_MAX;
    if (isPossible && (await this.found((abortSignal) => client.headObject(object, { abortSignal }), stop))) {
      return true;
    }
    // The answer has no body, so a missing bucket looks like a missing document.
    await this.expectBucket(client);
    return false;
  }

  async onModuleDestroy(): Promise<void> {
    const [opened] = await Promise.allSettled([this.opened]);
    if (opened.status === 'fulfilled') opened.value?.destroy();
  }

  private client(): Promise<S3> {
    this.opened ??= openClient(this.address, this.limits);
    return this.opened;
  }

  private expectBucket(client: S3): Promise<void> {
    const now = performance.now();
    if (!this.bucketCheck || now - this.bucketCheck.startedAtMs > BUCKET_FRESH_MS) {
      this.bucketCheck = { startedAtMs: now, done: this.checkBucket(client) };
    }
    return this.bucketCheck.done;
  }

  private async checkBucket(client: S3): Promise<void> {
    try {
      const bucket = { Bucket: this.bucket };
      if (await this.found((abortSignal) => client.headBucket(bucket, { abortSignal }))) return;
      throw new StorageError(`The bucket ${this.bucket} (DOCUMENT_STORE) does not exist.`);
    } catch (error) {
      this.bucketCheck = undefined;
      throw error;
    }
  }

  /** @returns false for a 404; every other answer than yes is a failure */
  private async found(
    ask: (abortSignal: AbortSignal) => Promise<unknown>,
    stop?: AbortSignal,
  ): Promise<boolean> {
    const giveUp = new AbortController();
    const abort = (): void => {
      giveUp.abort();
    };
    const timer = setTimeout(abort, this.limits.totalTimeoutMs);
    stop?.addEventListener('abort', abort);
    try {
      await ask(giveUp.signal);
      return true;
    } catch (cause) {
      const { $metadata, name, message } = cause as Error & { $metadata?: { httpStatusCode?: number } };
      const status = $metadata?.httpStatusCode;
      if (status === 404) return false;
      const reason = status === undefined ? `${name}: ${message}` : `it answers ${status}`;
      throw new StorageError(`The bucket ${this.bucket} (DOCUMENT_STORE) cannot be asked: ${reason}.`, {
        cause,
      });
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', abort);
    }
  }
}

async function openClient(address: string, limits: S3Limits): Promise<S3> {
  const { endpoint, region } = bucketAddress(address);
  // The SDK would write to standard error that versions of it that we do not use need a newer Node.js.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // Only who looks documents up in an object store pays for loading its client.
  const { S3 } = await import('@aws-sdk/client-s3');
  const client = new S3({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    maxAttempts: limits.triesMax,
    requestHandler: {
      connectionTimeout: limits.connectTimeoutMs,
      requestTimeout: limits.answerTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  try {
    await client.config.region();
  } catch (cause) {
    throw new StartError('DOCUMENT_STORE names no region and neither does AWS_REGION; add region=….', {
      cause,
    });
  }
  return client;
}
