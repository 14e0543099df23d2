import type { Socket } from 'node:net';
import type { Environment } from '../../config/settings.js';
import { everythingIsRead, isUnread } from './budget.plugin.js';
import { sendQueues } from './send-queues.js';

/** A connection with bytes waiting is looked at this often in the time after which it counts as stalled. */
const LOOKS = 4;
/** And at least this often, so that what was read does not count for longer as held. */
const INTERVAL_MS_MAX = 5_000;

/** A client that acknowledges less than this of an answer is too slow, */
const BYTES_PER_SECOND_MIN = 10_000;
/** judged over this time; */
const JUDGED_MS = 120_000;
/** where the system does not tell what was acknowledged, over this one, because it takes megabytes at a time. */
const JUDGED_MS_BLIND = 600_000;

export interface SlowReadersOptions extends Pick<Environment, 'STALLED_CONNECTION_SECONDS'> {
  /** Called for every connection that is closed. */
  readonly closed: (reason: 'stalled' | 'too_slow' | 'too_many') => void;
}

/** What was seen of a connection with bytes waiting. */
interface Look {
  /** Bytes that the client has acknowledged. */
  readonly acknowledged: number;
  /** Looks in a row, after the first, that saw the same. */
  readonly unchanged: number;
  /** Looks in the time that is judged, and what was acknowledged at its beginning. */
  readonly judged: number;
  readonly acknowledgedBefore: number;
}

/**
 * Closes connections whose clients do not read, and learns of the others that everything was read. It looks at all connections
 * together: a timer of each answer costs every request more than a look at all of them costs the process.
 *
 * Looks are counted, not time: after a pause of the whole process a client has had no time to read.
 *
 * Source: choice T18 and the setting STALLED_CONNECTION_SECONDS.
 */
export class SlowReaders {
  private looks: ReadonlyMap<Socket, Look> = new Map();
  readonly intervalMs: number;
  private readonly stalledLooks: number;

  constructor(private readonly options: SlowReadersOptions) {
    const stalledMs = options.STALLED_CONNECTION_SECONDS * 1_000;
    this.intervalMs = Math.min(stalledMs / LOOKS, INTERVAL_MS_MAX);
    this.stalledLooks = Math.round(stalledMs / this.intervalMs);
  }

  async look(open: Iterable<Socket>): Promise<void> {
    // Of the others the request is waiting for its body, which has a time limit of its own, or for the database.
    const sending = [...open].filter((socket) => socket.writableLength > 0 || isUnread(socket));
    const queueOf = sending.length > 0 ? await sendQueues() : undefined;
    const judgedLooks = Math.round((queueOf ? JUDGED_MS : JUDGED_MS_BLIND) / this.intervalMs);
    const looks = new Map<Socket, Look>();
    for (const socket of sending) {
      if (socket.destroyed) continue;
      const waiting = socket.writableLength + (queueOf?.(socket) ?? 0);
      if (waiting === 0) {
        everythingIsRead(socket);
        continue;
      }
      const look = this.next(this.looks.get(socket), socket.bytesWritten - waiting, judgedLooks);
      const reason = this.faultOf(look, judgedLooks);
      if (reason) {
        socket.destroy();
        this.options.closed(reason);
      } else {
        looks.set(socket, look);
      }
    }
    this.looks = looks;
  }

  private next(before: Look | undefined, acknowledged: number, judgedLooks: number): Look {
    if (!before) return { acknowledged, unchanged: 0, judged: 0, acknowledgedBefore: acknowledged };
    const isJudged = before.judged === judgedLooks;
    return {
      acknowledged,
      unchanged: before.acknowledged === acknowledged ? before.unchanged + 1 : 0,
      judged: isJudged ? 1 : before.judged + 1,
      acknowledgedBefore: isJudged ? before.acknowledged : before.acknowledgedBefore,
    };
  }

  /** Why a connection is to be closed, if it is. */
  private faultOf(look: Look, judgedLooks: number): 'stalled' | 'too_slow' | undefined {
    if (look.unchanged >= this.stalledLooks) return 'stalled';
    const bytesMin = (judgedLooks * this.intervalMs * BYTES_PER_SECOND_MIN) / 1_000;
    const isTooSlow = look.judged === judgedLooks && look.acknowledged - look.acknowledgedBefore < bytesMin;
    return isTooSlow ? 'too_slow' : undefined;
  }
}
