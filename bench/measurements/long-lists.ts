import { connect, type Socket } from 'node:net';
import type { Contender } from '../contenders/contender.js';
import { accountNumber, SUPPLIER } from '../contenders/fixture.js';
import { after, drive, withConnections, type Connection, type Load } from '../load/driver.js';
import { measureUsage } from '../processes/process-usage.js';
import { latencies, megabytes, type Report } from '../report.js';
import type { BenchRun } from '../run.js';

/** Connections that send bodies concurrently and continuously. */
const SENDERS = 10;
/** Bytes of a body of empty notes, close to the largest allowed body. */
const BODY_BYTES = 9_700_000;

/** Pause of the other client after every answer. */
const OTHER_PAUSE_MS = 5;

/**
 * Measure how long another client waits, and how much memory the service takes, while clients send lists with millions of items
 * too many. With `--against`, the old build is measured too.
 *
 * @throws Error when an answer is wrong
 */
export async function measureLongLists(run: BenchRun): Promise<Report> {
  const rows: string[][] = [];
  for (const build of run.builds) {
    const contender = await run.start(build);
    run.log('Another client, without and with the bodies …');
    rows.push([build, ...(await effectOn(contender, run.options.seconds))]);
  }
  return {
    section: 'long-lists',
    windows: 'one run',
    tables: [
      {
        head: [
          ...['Build', 'Bodies/s', 'Another client alone, p50 / p99 / longest ms'],
          ...['with the bodies, p50 / p99 / longest ms', 'Growth of memory, MB'],
        ],
        rows,
        remarks: [
          `${SENDERS} connections send bodies of ${megabytes(BODY_BYTES)} MB with empty notes. The other client requests the status of an account and pauses ${OTHER_PAUSE_MS} ms after every answer; its longest answer shows how long the service's event loop was blocked.`,
        ],
      },
    ],
  };
}

/** @returns rate of the bodies, latencies without and with them, and memory growth */
function effectOn(contender: Contender, seconds: number): Promise<string[]> {
  return withConnections(1, contender, async (connections) => {
    await otherClient(connections, after(seconds));
    const undisturbed = await otherClient(connections, after(seconds));
    let isSending = true;
    const { result, usage } = await measureUsage(contender.pid, () =>
      Promise.all([
        sendLongLists(contender, after(seconds)).finally(() => {
          isSending = false;
        }),
        otherClient(connections, () => !isSending),
      ]),
    );
    const [counts, disturbed] = result;
    const bodies = counts.reduce((sum, count) => sum + count, 0);
    return [
      (bodies / usage.seconds).toFixed(1),
      latencies(undisturbed.latenciesMs, 1, true),
      latencies(disturbed.latenciesMs, 1, true),
      megabytes(usage.growthBytes),
    ];
  });
}

function otherClient(connections: readonly Connection[], isOver: () => boolean): Promise<Load> {
  const path = `/v1/data-import/account-transfer-status/${SUPPLIER}/${accountNumber(0)}/`;
  const verify = ({ status }: { status: number }): void => {
    if (status !== 200) throw new Error(`The status of an account answered ${status}.`);
  };
  return drive(connections, () => ({ call: { method: 'GET', path }, verify }), isOver, OTHER_PAUSE_MS);
}

/** @returns the number of answered bodies of each sender */
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

/** Send a request and wait for its answer; the connection stays open. */
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
