import { connect, type Socket } from 'node:net';
import { OLD_SERVICE, startContender, type Contender, type ContenderName } from './contenders.js';
import { after, drive, withConnections, type Connection, type Load } from './driver.js';
import { accountNumber, SUPPLIER } from './fixture.js';
import type { BenchOptions } from './options.js';
import { peakMemoryBytes, residentMemoryBytes, resetPeakMemory } from './process-usage.js';
import { megabytes, type Report } from './report.js';
import type { BenchRun } from './run.js';
import { percentile } from './statistics.js';

/** Bodies that are sent at the same time, again and again. */
const SENDERS = 10;
/** Bytes of a body: as many empty notes as fit into the largest body by far. */
const BODY_BYTES = 9_700_000;

/** The other client: it rests this long after every answer. */
const OTHER_PAUSE_MS = 5;

/** What bodies with long lists do to a build. */
interface Effect {
  readonly build: string;
  readonly bodies: number;
  readonly seconds: number;
  readonly undisturbed: Load;
  readonly disturbed: Load;
  /** Absent where the system does not report it. */
  readonly growthBytes: number | undefined;
}

/**
 * Measure how long another client waits, and how much memory the service takes, while requests are sent whose lists have
 * millions of items too many.
 *
 * @param against checkout of another build, which is measured after this one
 * @throws Error when an answer is wrong
 */
export async function measureLongLists(
  { seconds, against }: BenchOptions,
  { postgres, cleanUp, log }: BenchRun,
): Promise<Report> {
  const builds: [ContenderName, string | undefined][] = [
    ['service', undefined],
    ...(against === undefined ? [] : [[OLD_SERVICE, against] as [ContenderName, string]]),
  ];
  const effects: Effect[] = [];
  for (const [name, checkout] of builds) {
    log(`Starting ${name} …`);
    const contender = await startContender(name, postgres, checkout);
    cleanUp.defer(contender.stop);
    log('Another client, without and with the bodies …');
    effects.push(await effectOn(contender, seconds));
  }
  return report(effects);
}

function effectOn(contender: Contender, seconds: number): Promise<Effect> {
  return withConnections(1, contender, async (connections) => {
    await otherClient(connections, after(seconds));
    const undisturbed = await otherClient(connections, after(seconds));
    const before = await residentMemoryBytes(contender.pid);
    await resetPeakMemory(contender.pid);
    const startedAt = performance.now();
    let isSending = true;
    const [counts, disturbed] = await Promise.all([
      sendLongLists(contender, after(seconds)).finally(() => {
        isSending = false;
      }),
      otherClient(connections, () => !isSending),
    ]);
    const peak = await peakMemoryBytes(contender.pid);
    return {
      build: contender.name,
      bodies: counts.reduce((sum, count) => sum + count, 0),
      seconds: (performance.now() - startedAt) / 1_000,
      undisturbed,
      disturbed,
      growthBytes: before !== undefined && peak !== undefined ? peak - before : undefined,
    };
  });
}

function otherClient(connections: readonly Connection[], isOver: () => boolean): Promise<Load> {
  const path = `/v1/data-import/account-transfer-status/${SUPPLIER}/${accountNumber(0)}/`;
  const verify = ({ status }: { status: number }): void => {
    if (status !== 200) throw new Error(`The status of an account answered ${status}.`);
  };
  return drive(connections, () => ({ call: { method: 'GET', path }, verify }), isOver, OTHER_PAUSE_MS);
}

/** @returns of each sender how many bodies were answered */
function sendLongLists(contender: Contender, isOver: () => boolean): Promise<number[]> {
  const opening = '{"notes":[';
  const item = '{},';
  const items = Math.floor((BODY_BYTES - opening.length) / item.length);
  const body = Buffer.from(`${opening}${item.repeat(items)}{}]}`);
  const head = [
    'POST /v1/data-import/notes/create/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Token ${contender.token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    '',
  ].join('\r\n');
  return Promise.all(
    Array.from({ length: SENDERS }, async () => {
      const { hostname, port } = new URL(contender.origin);
      const socket = connect(Number(port), hostname);
      let count = 0;
      for (; !isOver(); count += 1) await sendOnce(socket, head, body);
      socket.destroy();
      return count;
    }),
  );
}

/** Send a request and wait for its answer; the service keeps the connection. */
async function sendOnce(socket: Socket, head: string, body: Buffer): Promise<void> {
  const answered = new Promise<void>((resolve, reject) => {
    let answer = '';
    const onData = (chunk: Buffer): void => {
      answer += chunk.toString('latin1');
      if (!answer.endsWith('}')) return;
      socket.off('data', onData).off('close', onClose);
      if (/^HTTP\/1\.1 400 .*"max_length"/s.test(answer)) resolve();
      else reject(new Error(`A list with too many items was answered ${answer}`));
    };
    const onClose = (): void => {
      reject(new Error('The service closed a connection.'));
    };
    socket.on('data', onData).once('close', onClose);
  });
  socket.write(head);
  const written = new Promise((resolve) => socket.write(body, resolve));
  await Promise.all([answered, written]);
}

function report(effects: readonly Effect[]): Report {
  const latencies = ({ latenciesMs }: Load): string =>
    [...[0.5, 0.99].map((share) => percentile(latenciesMs, share)), Math.max(...latenciesMs)]
      .map((ms) => ms.toFixed(1))
      .join(' / ');
  return {
    section: 'long-lists',
    tables: [
      {
        head: [
          ...['Build', 'Bodies/s', 'Another client alone, p50 / p99 / longest ms'],
          ...['with the bodies, p50 / p99 / longest ms', 'Growth of memory, MB'],
        ],
        rows: effects.map(({ build, bodies, seconds, undisturbed, disturbed, growthBytes }) => [
          build,
          (bodies / seconds).toFixed(1),
          latencies(undisturbed),
          latencies(disturbed),
          growthBytes === undefined ? '–' : megabytes(growthBytes),
        ]),
        remarks: [
          `${SENDERS} connections send bodies of ${megabytes(BODY_BYTES)} MB with empty notes. The other client requests the status of an account and pauses ${OTHER_PAUSE_MS} ms after every answer; its longest answer shows how long the service's event loop was blocked.`,
        ],
      },
    ],
  };
}
