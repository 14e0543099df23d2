import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expectError, expectInvalid } from '../../../support/expect-error.js';
import { graphql } from '../../../support/graphql.js';
import { expectRawError, requestHead, sendRaw } from '../../../support/raw-http.js';
import { startService, type Reply } from '../../../support/service.js';
import { inBlock, setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { noteSender } from '../../../support/note-sender.js';

const CREATE = '/v1/data-import/notes/create/';
const BODY_LIMIT = 10 * 1024 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };

const service = setUp(sharedService);
const { caller, create, send } = noteSender(service);

/** A valid payload of an exact number of bytes. */
function padded(bytes: number): string {
  const payload = JSON.stringify({ ...caller.ref, notes: [{ body: 'Followed by blanks' }] });
  return payload + ' '.repeat(bytes - Buffer.byteLength(payload));
}

describe('a request body', () => {
  it('may have at most 10 MiB, with Content-Length or in chunks (T15)', async () => {
    expect((await send(JSON_BODY, padded(BODY_LIMIT))).status).toBe(201);
    expectError(await send(JSON_BODY, padded(BODY_LIMIT + 1)), 413, 'payload_too_large', []);
    const headers = requestHead(
      `POST ${CREATE}`,
      caller.token,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    );
    const chunk = Buffer.from(`100000\r\n${' '.repeat(0x100000)}\r\n`);
    const chunks = Array.from({ length: 11 }, () => chunk);
    expectRawError(await sendRaw(service.baseUrl, headers, ...chunks, '0\r\n\r\n'), 413, 'payload_too_large');
  });

  it('may contain at most 5,000 items (T15)', async () => {
    const notes = (length: number): unknown =>
      Array.from({ length }, (_none, index) => ({ body: `Note ${index}` }));
    const whole = await create<unknown[]>({ ...caller.ref, notes: notes(5_000) });
    expect([whole.status, whole.body.length]).toEqual([201, 5_000]);
    expectInvalid(await create({ ...caller.ref, notes: notes(5_001) }), ['max_length', 'notes']);
  });

  it('has limits that are settings (T15)', async () => {
    await using small = inBlock(await startService({ BODY_LIMIT_BYTES: '1024', ITEMS_MAX: '2' }));
    const account = await small.given.importedAccount();
    const post = (notes: unknown): Promise<Reply> =>
      small.post('notes/create/', account.token, { ...account.ref, notes });
    expect((await post([{ body: '1' }, { body: '2' }])).status).toBe(201);
    expectInvalid(await post([{}, {}, {}]), ['max_length', 'notes']);
    expectError(await post([{ body: 'x'.repeat(1_024) }]), 413, 'payload_too_large');
    expect((await graphql(small, `{ __typename } #${'x'.repeat(1_024)}`)).status).toBe(413);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON ; Charset="utf-8"',
    'application/json;',
  ])('is accepted as %s (T15)', async (type) => {
    const payload = JSON.stringify({ ...caller.ref, notes: [{ body: 'Grüße' }] });
    expect((await send({ 'content-type': type }, payload)).status).toBe(201);
  });

  it.each([
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-16',
    'application/json; version=2',
    'application/vnd.api+json',
    'nonsense',
    '; charset=utf-8',
  ])('is refused as %s (T15)', async (type) => {
    expectError(await send({ 'content-type': type }, '{}'), 415, 'unsupported_media_type', []);
  });

  it('is refused without a content type (T15)', async () => {
    expectError(await send({}, Buffer.from('{}')), 415, 'unsupported_media_type', []);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd'])(
    'is refused when it is compressed: %s (T15)',
    async (encoding) => {
      const payload = gzipSync(JSON.stringify({ ...caller.ref, notes: [{ body: 'Compressed' }] }));
      expectError(
        await send({ ...JSON_BODY, 'content-encoding': encoding }, payload),
        415,
        'unsupported_media_type',
      );
    },
  );

  it.each<[string, Record<string, string>, string | Uint8Array<ArrayBuffer> | undefined]>([
    ['nothing at all', {}, undefined],
    ['an empty body', JSON_BODY, ''],
    ['half a document', JSON_BODY, '{"notes": ['],
    ['bytes that are not UTF-8', JSON_BODY, Buffer.from([0x22, 0xff, 0x22])],
    ['UTF-16', JSON_BODY, Buffer.from('\ufeff{}', 'utf16le')],
    ['a hundred thousand brackets', JSON_BODY, '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('is a parse error when it is %s (T4)', async (_what, headers, body) => {
    expectError(await send(headers, body), 400, 'parse_error', []);
  });

  it('may begin with a byte order mark (T4)', async () => {
    const payload = `\ufeff${JSON.stringify({ ...caller.ref, notes: [{ body: 'Marked' }] })}`;
    expect((await send(JSON_BODY, payload)).status).toBe(201);
  });
});

describe('a compressed answer', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is sent as %s only when the client accepts it (T16)', async (encoding, decompress) => {
    const notes = Array.from({ length: 200 }, (_none, index) => ({ body: `Compressed ${index}` }));
    const post = async (accept: string): Promise<{ encoding: string | undefined; body: Buffer }> => {
      const outgoing = httpRequest(service.baseUrl + CREATE, {
        method: 'POST',
        headers: { authorization: `Token ${caller.token}`, ...JSON_BODY, 'accept-encoding': accept },
      });
      outgoing.end(JSON.stringify({ ...caller.ref, notes }));
      const [response] = (await once(outgoing, 'response')) as [
        AsyncIterable<Buffer> & { headers: Record<string, string> },
      ];
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      return { encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) };
    };
    const compressed = await post(encoding);
    expect(compressed.encoding).toBe(encoding);
    expect(JSON.parse(decompress(compressed.body).toString())).toHaveLength(200);
    for (const accept of ['identity', 'unknown', '']) {
      const plain = await post(accept);
      expect(plain.encoding).toBeUndefined();
      expect(JSON.parse(plain.body.toString())).toHaveLength(200);
    }
  });
});
