import { addAbortSignal, type Readable } from 'node:stream';
import type { S3 } from '@aws-sdk/client-s3';
import type { OnModuleDestroy } from '@nestjs/common';
import { bucketAddress } from '../infrastructure/config/document-store-setting.js';
import { StartError } from '../infrastructure/config/env.js';
import { systemReason } from '../infrastructure/config/system-reason.js';
import {
  documentKey,
  DocumentStore,
  StorageError,
  type DocumentName,
  type StoredDocument,
} from './document-store.js';

/** How long the service waits for the object store, in milliseconds, and how often it tries. */
export interface S3Limits {
  readonly connectTimeoutMs: number;
  /** From the end of a request to the headers of its response. */
  readonly responseTimeoutMs: number;
  /** Total of all tries of one look-up. */
  readonly totalTimeoutMs: number;
  readonly triesMax: number;
}

const LIMITS: S3Limits = {
  connectTimeoutMs: 2_000,
  responseTimeoutMs: 5_000,
  totalTimeoutMs: 10_000,
  triesMax: 3,
};

/** Maximum length of a key in bytes; S3 rejects requests with a longer one. */
const KEY_BYTES_MAX = 1_024;

/** How long a bucket is assumed to exist after a check. */
const BUCKET_FRESH_MS = 10_000;

/**
 * Documents in a bucket of any S3-compatible object store.
 *
 * Credentials come from the standard chain of the AWS tools: environment, profile, container or instance role. They must allow
 * s3:GetObject and s3:ListBucket; without the second, S3 answers 403 instead of 404 for a missing object.
 *
 * Look-ups and downloads use separate sockets, because a download occupies one for as long as its reader takes.
 *
 * Source: choice F4.
 */
export class S3DocumentStore extends DocumentStore implements OnModuleDestroy {
  private readonly bucket: string;
  private readonly namesRegion: boolean;
  private readonly lookups: Client;
  private readonly downloads: Client;
  private bucketCheck?: { readonly startedAtMs: number; readonly done: Promise<void> };

  /** @param address `s3://bucket?endpoint=…&region=…`; with an endpoint, the bucket is named in the path instead of the host */
  constructor(
    address: string,
    private readonly limits: S3Limits = LIMITS,
  ) {
    super();
    const { bucket, region } = bucketAddress(address);
    this.bucket = bucket;
    this.namesRegion = region !== undefined;
    this.lookups = new Client(address, limits);
    this.downloads = new Client(address, limits);
  }

  /**
   * Check that a region is configured. If the address names none, this loads the SDK to find one. The object store is not called
   * yet.
   *
   * @throws StartError if a region is named neither in the address nor where the AWS tools look
   */
  override async open(): Promise<void> {
    if (!this.namesRegion) await this.lookups.open();
  }

  async exists(document: DocumentName, stop: AbortSignal): Promise<boolean> {
    const key = documentKey(document);
    const object = { Bucket: this.bucket, Key: key };
    const client = await this.lookups.open();
    const isPossible = Buffer.byteLength(key) <= KEY_BYTES_MAX;
    if (
      isPossible &&
      (await this.answer((abortSignal) => client.headObject(object, { abortSignal }), stop))
    ) {
      return true;
    }
    // The response has no body, so a missing bucket looks like a missing document.
    await this.expectBucket();
    return false;
  }

  async read(document: DocumentName, stop: AbortSignal): Promise<StoredDocument | undefined> {
    const key = documentKey(document);
    const object = { Bucket: this.bucket, Key: key };
    const client = await this.downloads.open();
    const isPossible = Buffer.byteLength(key) <= KEY_BYTES_MAX;
    const found = isPossible
      ? await this.answer((abortSignal) => client.getObject(object, { abortSignal }), stop)
      : undefined;
    if (!found) {
      await this.expectBucket();
      return undefined;
    }
    // In Node.js the body is a stream.
    const bytes = found.Body as Readable | undefined;
    if (!bytes || found.ContentLength === undefined) {
      bytes?.destroy();
      throw new StorageError(
        `The bucket ${this.bucket} (DOCUMENT_STORE) does not tell the size of a document.`,
      );
    }
    return { size: found.ContentLength, bytes: addAbortSignal(stop, bytes) };
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.lookups.close(), this.downloads.close()]);
  }

  private expectBucket(): Promise<void> {
    const now = performance.now();
    if (!this.bucketCheck || now - this.bucketCheck.startedAtMs > BUCKET_FRESH_MS) {
      this.bucketCheck = { startedAtMs: now, done: this.checkBucket() };
    }
    return this.bucketCheck.done;
  }

  private async checkBucket(): Promise<void> {
    try {
      const client = await this.lookups.open();
      const bucket = { Bucket: this.bucket };
      if (await this.answer((abortSignal) => client.headBucket(bucket, { abortSignal }))) return;
      throw new StorageError(`The bucket ${this.bucket} (DOCUMENT_STORE) does not exist.`);
    } catch (error) {
      this.bucketCheck = undefined;
      throw error;
    }
  }

  /** @returns undefined for a 404; every other response that is not a success is an error */
  private async answer<Response>(
    request: (abortSignal: AbortSignal) => Promise<Response>,
    stop?: AbortSignal,
  ): Promise<Response | undefined> {
    const ended = new AbortController();
    const abort = (): void => {
      ended.abort();
    };
    const timer = setTimeout(abort, this.limits.totalTimeoutMs);
    stop?.addEventListener('abort', abort);
    try {
      return await request(ended.signal);
    } catch (cause) {
      const { $metadata } = cause as Error & { $metadata?: { httpStatusCode?: number } };
      const status = $metadata?.httpStatusCode;
      if (status === 404) return undefined;
      const reason = status === undefined ? systemReason(cause) : `it answers ${status}`;
      throw new StorageError(`The bucket ${this.bucket} (DOCUMENT_STORE) cannot be read: ${reason}.`, {
        cause,
      });
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', abort);
    }
  }
}

/** A client that is opened when needed and has its own sockets: 50 at a time, unless the SDK changes its default. */
class Client {
  private opened?: Promise<S3>;

  constructor(
    private readonly address: string,
    private readonly limits: S3Limits,
  ) {}

  open(): Promise<S3> {
    this.opened ??= openClient(this.address, this.limits);
    return this.opened;
  }

  async close(): Promise<void> {
    const [opened] = await Promise.allSettled([this.opened]);
    if (opened.status === 'fulfilled') opened.value?.destroy();
  }
}

async function openClient(address: string, limits: S3Limits): Promise<S3> {
  const { endpoint, region } = bucketAddress(address);
  // Otherwise the SDK writes to standard error that its future versions need a newer Node.js.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
  // Loaded when the first document is needed, because loading takes half a second.
  const { S3 } = await import('@aws-sdk/client-s3');
  const client = new S3({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    maxAttempts: limits.triesMax,
    // Otherwise the SDK wraps the body in a stream that leaves the connection open when it is destroyed.
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: limits.connectTimeoutMs,
      requestTimeout: limits.responseTimeoutMs,
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
