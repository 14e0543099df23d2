import { connect, type Socket } from 'node:net';
import { expectError } from '../../support/expect-error.js';
import { expectRawError, requestHead, sendRaw } from '../../support/raw-http.js';
import { setUp } from '../../support/set-up.js';
import { sharedService } from '../../support/shared-service.js';
import { waitUntil } from '../../support/wait-until.js';

const [NOTES, TRANSACTIONS, STATEMENTS, INSTRUCTION] = [
  ...['notes', 'transactions', 'historical-statements', 'payment-instruction'],
].map((kind) => `/v1/data-import/${kind}/create/`) as [string, string, string, string];
const TYPE = 'Content-Type: application/json';
/** For bodies of this length, items are counted while they arrive. */
const LENGTH = 9_700_000;

const service = setUp(sharedService);
let token: string;

const sockets: Socket[] = [];

beforeAll(async () => {
  ({ token } = await service.given.importedAccount());
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Open a connection and send a part of a request. */
function open(...parts: string[]): {
  send: (part: string) => void;
  received: () => string;
  isOpen: () => boolean;
} {
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  for (const part of parts) socket.write(part);
  return {
    send: (part) => socket.write(part),
    received: () => received,
    isOpen: () => socket.readyState === 'open',
  };
}

/** The head of a POST that keeps its connection. */
function head(path: string, ...headers: string[]): string {
  return requestHead(`POST ${path}`, token, TYPE, ...headers).replace('Connection: close\r\n', '');
}

/** The body of the answer on a connection, once it has arrived. */
async function answerOn({ received }: { received: () => string }): Promise<unknown> {
  const body = (): string | undefined => /\r\n\r\n(\{.*\})/s.exec(received())?.[1];
  await waitUntil('the request is answered', () => body() !== undefined);
  return JSON.parse(body()!);
}

function maxLength(attr: string, allowed: number): unknown {
  return {
    detail: 'The request has invalid input.',
    code: 'validation_error',
    errors: [{ detail: `At most ${allowed} items are allowed.`, code: 'max_length', attr }],
  };
}

const many = (item: string, count: number): string => `${item},`.repeat(count - 1) + item;
const LINE_ITEMS = `{"transactions":[{},{"tax_items":[],"line_items":[${many('{}', 1_001)}`;
const UNITS = `{"transactions":[{"line_items":[{},{},{"units":[${many('0', 101)}`;

describe('a list of more items than allowed', () => {
  it.each<[string, string, string, string, number]>([
    ['notes', NOTES, `{"notes":[${many('{}', 5_001)}`, 'notes', 5_000],
    ['notes of any kind', NOTES, `{"notes":[${many('0', 5_001)}`, 'notes', 5_000],
    ['an escaped name', NOTES, `{"not\\u0065s":[${many('{}', 5_001)}`, 'notes', 5_000],
    ['a name that a later one replaces', NOTES, `{"notes":[${many('{}', 5_001)}],"notes":[`, 'notes', 5_000],
    ['transactions', TRANSACTIONS, `{"transactions":[${many('[[],{}]', 5_001)}`, 'transactions', 5_000],
    ['line items', `${TRANSACTIONS}?dry_run=true`, LINE_ITEMS, 'transactions.1.line_items', 1_000],
    ['units', TRANSACTIONS, UNITS, 'transactions.0.line_items.2.units', 100],
    ['statements', STATEMENTS, `{"statements":[${many('null', 5_001)}`, 'statements', 5_000],
    ['documents', NOTES, `{"notes":[{"document_paths":[${many('{}', 101)}`, 'notes.0.document_paths', 100],
    ['a field that nobody knows', NOTES, `{"a":{"b":[0,[${many('[]', 5_001)}`, 'a.b.1', 5_000],
    ['a list instead of an object', NOTES, `[${many('{}', 5_001)}`, '', 5_000],
    ['a field without lists', INSTRUCTION, `{"vendor":[${many('""', 5_001)}`, 'vendor', 5_000],
  ])('is rejected while it is arriving: %s (T15)', async (_what, path, body, attr, allowed) => {
    const withLength = open(head(path, `Content-Length: ${LENGTH}`), body);
    expect(await answerOn(withLength)).toEqual(maxLength(attr, allowed));
    const inChunks = open(
      head(path, 'Transfer-Encoding: chunked'),
      `${body.length.toString(16)}\r\n${body}\r\n`,
    );
    expect(await answerOn(inChunks)).toEqual(maxLength(attr, allowed));
  });

  it('leaves the connection usable: the rest of the body is discarded (T15)', async () => {
    const body = `{"notes":[${many('{}', 6_000)}`;
    const connection = open(head(NOTES, `Content-Length: ${LENGTH}`), body);
    await answerOn(connection);
    expect(connection.received()).not.toMatch(/^connection: close/im);
    connection.send(' '.repeat(LENGTH - body.length) + head(NOTES, 'Content-Length: 2') + '{}');
    await waitUntil('the next request is answered', () => connection.received().includes('import_supplier'));
    expect(connection.received().match(/HTTP\/1\.1 400/g)).toHaveLength(2);
    expect(connection.isOpen()).toBe(true);
  });

  it('is answered once when the client sends the rest concurrently (T15)', async () => {
    const body = `{"notes":[${many('{}', 3_000_000)}]}`;
    const request = requestHead(`POST ${NOTES}`, token, TYPE, `Content-Length: ${body.length}`);
    const reply = await sendRaw(service.baseUrl, request, body);
    expectRawError(reply, 400, 'validation_error');
    expect(JSON.parse(reply.text)).toEqual(maxLength('notes', 5_000));
  });
});

describe('a large body', () => {
  it('that is nested too deeply is a parse error after its end (T4)', async () => {
    const body = '['.repeat(3_000_000) + ']'.repeat(3_000_000);
    expectError(await service.post('notes/create/', token, body), 400, 'parse_error', []);
    const connection = open(head(NOTES, `Content-Length: ${body.length}`), body);
    await answerOn(connection);
    expect(connection.isOpen()).toBe(true);
  });

  it('of another media type is refused after its end, when it is not too large (T10)', async () => {
    const headers = ['Content-Type: text/plain', 'Transfer-Encoding: chunked'];
    const request = requestHead(`POST ${NOTES}`, token, ...headers);
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    const ends = [...Array<string>(9).fill(chunk), '0\r\n\r\n'];
    expectRawError(await sendRaw(service.baseUrl, request, ...ends), 415, 'unsupported_media_type');
    expectRawError(await sendRaw(service.baseUrl, request, chunk, chunk, ...ends), 413, 'payload_too_large');
  });
});
