import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../../../../test/support/listening.js';
import type { Change } from '../../src/platform.js';

const TOKEN = { token: 't', payload: { iat: 0, exp: 3_600 }, refreshToken: 'r', refreshExpiresIn: 9_000 };

/** A fake feed of one supplier. */
export interface FakeFeed {
  readonly url: string;
  /** Append changes and answer the waiting readers. */
  readonly add: (count: number) => void;
  /** Begin a new epoch after a sequence number. */
  readonly restart: (sequence: number) => void;
  readonly stop: () => Promise<void>;
}

export async function startFakeFeed(): Promise<FakeFeed> {
  const changes: Change[] = [];
  let [epoch, continuesAfter] = ['e1', 0];
  let wake: (() => void)[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = (status: number, body: unknown): unknown =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://feed');
    if (pathname === '/v1/graphql/') return void json(200, { data: { obtainServiceToken: TOKEN } });
    const [of = epoch, number = '0'] = searchParams.get('cursor')?.split('-') ?? [];
    const cursorOf = (sequence: number): string => `${epoch}-${String(sequence).padStart(19, '0')}`;
    if (of !== epoch) {
      const cursor = cursorOf(continuesAfter);
      return void json(409, { code: 'feed_restarted', detail: 'A new epoch.', errors: [], cursor });
    }
    const isWaiting = searchParams.has('wait') && Number(number) === changes.length;
    if (isWaiting) await new Promise<void>((resolve) => wake.push(resolve));
    response.setHeader('feed-epoch', epoch);
    const lines = changes.slice(Number(number)).map((change) => `${JSON.stringify(change)}\n`);
    response.end(lines.join(''));
  };
  const server = createServer((request, response) => void answer(request, response));
  const answerWaiting = (): void => {
    for (const one of wake) one();
    wake = [];
  };
  return {
    ...(await listening(server)),
    add: (count) => {
      for (let added = 0; added < count; added += 1) changes.push(changeOf(changes.length + 1));
      answerWaiting();
    },
    restart: (sequence) => {
      epoch = `${epoch}x`;
      continuesAfter = sequence;
      changes.length = sequence;
      answerWaiting();
    },
  };
}

function changeOf(number: number): Change {
  const sequence = String(number).padStart(19, '0');
  const numbers = { external_account_number: '1001\u2028', service_account_number: 'A-00000001' };
  return {
    ...{ specversion: '1.0', id: sequence, source: '/', type: 'import.undone', sequence },
    ...{ subject: '1001', time: '2026-11-24T12:00:00Z', datacontenttype: 'application/json' },
    data: { ...numbers, import_request_id: '019a', request_id: 'r' },
  };
}
