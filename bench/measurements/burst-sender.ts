/**
 * Loads a service with as many requests as it can, in a separate process so that its work does not delay the measurement.
 * burst.ts starts this process, sends it the name of each step to begin, and kills it.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { DATA_IMPORT, NO_NUMBERS } from '../load/answers.js';
import { accountNumber, SUPPLIER } from '../contenders/fixture.js';
import type { Call } from '../load/driver.js';
import { scenarioOf, sequential } from '../load/scenarios.js';

export interface BurstOrder {
  readonly origin: string;
  readonly token: string;
  /** The cookies of an operator's session. */
  readonly cookie: string;
}

/** Unread answers of each size, each on its own connection. */
const UNREAD = 1_000;
/** Concurrent imports of 500 transactions, and as many console pages, repeated continuously. */
const AT_ONCE = 64;

const { origin, token, cookie } = JSON.parse(process.argv[2] ?? '') as BurstOrder;

async function leaveUnread(path: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  const sockets = Array.from({ length: UNREAD }, () => connect(Number(port), hostname).pause());
  for (const socket of sockets) {
    // The service may close the connection.
    socket.on('error', () => undefined);
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Token ${token}\r\n\r\n`);
  }
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)));
}

/** Send requests continuously, whatever the answers; after a 503, wait as long as its Retry-After says. */
async function repeat(next: () => Call, headers: Record<string, string>): Promise<never> {
  for (;;) {
    const { path, ...call } = next();
    const answer = await fetch(origin + path, { ...call, headers }).catch(() => undefined);
    await answer?.text().catch(() => undefined);
    const waitSeconds = answer === undefined ? 1 : Number(answer.headers.get('retry-after') ?? 0);
    if (waitSeconds > 0) await delay(waitSeconds * 1_000);
  }
}

const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
  unread: async () => {
    await leaveUnread(`${DATA_IMPORT}/imported-account-import-processes/${SUPPLIER}/`);
    await leaveUnread(`${DATA_IMPORT}/account-transfer-status/${SUPPLIER}/${accountNumber(0)}/`);
  },
  pages: () => {
    const scenario = scenarioOf('transactions-500');
    let index = 0;
    const nextImport = (): Call => scenario.exchange(index++, sequential, NO_NUMBERS).call;
    const page = { method: 'GET', path: `/console/suppliers/${SUPPLIER}/failures` } as const;
    for (let count = 0; count < AT_ONCE; count += 1) {
      void repeat(nextImport, { authorization: `Token ${token}`, 'content-type': 'application/json' });
      void repeat(() => page, { cookie });
    }
    return Promise.resolve();
  },
};

process.on('message', (step: string) => {
  void STEPS[step]?.().then(() => process.send?.(step));
});
