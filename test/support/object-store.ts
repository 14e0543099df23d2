import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { S3 } from '@aws-sdk/client-s3';
import type { DocumentName } from '../../src/documents/document-store.js';
import type { Certificate } from './certificates.js';
import { listening } from './listening.js';
import { env } from './outside.js';

/** The only credentials that the S3 server knows. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Environment variables for the AWS SDK: the same credentials, and no warnings about future versions. */
export const AWS_ENVIRONMENT = {
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
};

/**
 * Set the credentials for the service and the commands in this process.
 *
 * @returns a function that restores all environment variables
 */
export function useCredentials(): () => void {
  const before = { ...env };
  Object.assign(env, AWS_ENVIRONMENT);
  return () => {
    for (const name of Object.keys(env)) {
      if (!(name in before)) Reflect.deleteProperty(env, name);
    }
    Object.assign(env, before);
  };
}

/** The document with this key, whose first segment is the document root. */
export function documentAt(key: string): DocumentName {
  const [root = '', ...path] = key.split('/');
  return { root, path: path.join('/') };
}

/** A local S3 server with one empty bucket. */
export interface ObjectStore {
  readonly endpoint: string;
  readonly bucket: string;
  /** The value of the setting DOCUMENT_STORE for the bucket. */
  readonly address: string;
  readonly put: (key: string, content?: string | Buffer) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startObjectStore(): Promise<ObjectStore> {
  const directory = await mkdtemp(join(tmpdir(), 'data-import-test-s3-'));
  const bucket = 'production-files';
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    vhostBuckets: false,
    // For requests on a bucket, the server omits the path's trailing slash when it computes the signature.
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new S3({ endpoint, forcePathStyle: true, region: 'us-east-1', credentials: CREDENTIALS });
  return {
    endpoint,
    bucket,
    address: `s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}`,
    put: async (key, content = '%PDF-1.7') => {
      await client.putObject({ Bucket: bucket, Key: key, Body: Buffer.from(content) });
    },
    stop: async () => {
      client.destroy();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The answer to one request: an HTTP status, a cut connection, no answer, or only the first bytes of a long body. */
export type Behaviour = number | 'cut' | 'silence' | 'beginning';

/** An object store with scripted answers, for tests of one that misbehaves. */
export interface ScriptedObjectStore {
  readonly address: string;
  /** Requested paths in order, each beginning with the bucket. */
  readonly requested: readonly string[];
  /** The number of answers whose client disconnected before the end. */
  readonly abandoned: () => number;
  /** Determines the answer to each request from now on. */
  answers: (path: string) => Behaviour | Promise<Behaviour>;
  readonly stop: () => Promise<void>;
}

/** @param certificate for TLS; without it, the store speaks plain HTTP */
export async function startScriptedObjectStore(certificate?: Certificate): Promise<ScriptedObjectStore> {
  const requested: string[] = [];
  let abandoned = 0;
  const answer: RequestListener = (request, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?', 1)[0]!);
    requested.push(path);
    response.once('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
    void Promise.resolve(store.answers(path)).then((behaviour) => {
      behave(behaviour, response);
    });
  };
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  const scheme = certificate ? 'https' : 'http';
  const { port, stop } = await listening(server);
  const store: ScriptedObjectStore = {
    address: `s3://bucket?endpoint=${scheme}://127.0.0.1:${port}`,
    requested,
    abandoned: () => abandoned,
    answers: () => 200,
    stop,
  };
  return store;
}

function behave(behaviour: Behaviour, response: ServerResponse): void {
  if (behaviour === 'silence') return;
  if (behaviour === 'cut') response.socket?.destroy();
  else if (behaviour === 'beginning')
    response.writeHead(200, { 'content-length': 1_000_000 }).write('%PDF-1.7');
  else response.writeHead(behaviour).end();
}
