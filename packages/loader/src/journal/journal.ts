import { closeSync, createReadStream, fdatasync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { CannotWrite, writeWhole, WrongUsage } from '@data-import/files';
import { SYSTEM_CLOCK } from '../common/clock.js';
import { compacted, type NumberedEvent } from './compact.js';
import type { Failed, JournalEvent } from './events.js';
import { JournalState } from './state.js';

/** Least time between two writes to the disk itself. What a killed process wrote is kept by the system without them. */
const SYNC_INTERVAL_MS = 250;

/** Events after which every row counts as before. */
const UNCHANGING: ReadonlySet<JournalEvent['event']> = new Set(['run', 'prepared', 'checked', 'rates']);

const LINE_FEED = 0x0a;

const sync = promisify(fdatasync);

/**
 * The events of a folder's runs, one JSON object a line. A line is written when its event happens, before anything else is
 * done, and the disk is asked to keep the lines in groups: a process that is killed loses nothing, a machine without power
 * a quarter of a second. What is lost is sent again, and the service answers that it is there.
 */
export class Journal {
  private readonly descriptor: number;
  private lines: number;
  private syncing: Promise<void> | undefined;
  private isDirty = false;
  private readonly closing = new AbortController();
  /** Set when the disk did not keep what was written. */
  private failure: Error | undefined;
  /** Called before the first event that changes what became of rows. */
  beforeChange: (() => void) | undefined;

  private constructor(
    private readonly path: string,
    readonly state: JournalState,
    lines: number,
  ) {
    this.lines = lines;
    this.descriptor = openSync(path, 'a', 0o600);
  }

  /** Read what there is, and write it anew without what later events have replaced. Only the holder of the lock may. */
  static async open(path: string): Promise<Journal> {
    const before = await readState(path);
    const after = new JournalState();
    let line = 0;
    await writeWhole(path, async (file) => {
      for await (const event of compacted(before, () => numberedEvents(path))) {
        after.apply(event, line);
        line += 1;
        file.add(`${JSON.stringify(event)}\n`);
        await file.drain();
      }
    });
    return new Journal(path, after, line);
  }

  /** @throws CannotWrite, also when an earlier event could not be kept: a part of a line may stand at its end then */
  append(event: JournalEvent): void {
    if (this.failure) throw this.failure;
    if (!UNCHANGING.has(event.event)) {
      this.beforeChange?.();
      this.beforeChange = undefined;
    }
    this.state.apply(event, this.lines);
    this.lines += 1;
    const bytes = Buffer.from(`${JSON.stringify(event)}\n`);
    try {
      for (let written = 0; written < bytes.length;) written += writeSync(this.descriptor, bytes, written);
    } catch (error) {
      throw (this.failure = new CannotWrite(this.path, error));
    }
    this.isDirty = true;
    this.syncing ??= this.syncInGroups();
  }

  /** The events that count, in order. */
  events(): AsyncGenerator<NumberedEvent> {
    return eventsThatCount(this.path, this.state);
  }

  /** See {@link failuresOf}. */
  failures(): AsyncGenerator<Failed> {
    return failuresOf(this.path, this.state);
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.syncing;
    try {
      if (this.isDirty && !this.failure) await sync(this.descriptor);
    } catch (error) {
      throw new CannotWrite(this.path, error);
    } finally {
      closeSync(this.descriptor);
    }
  }

  private async syncInGroups(): Promise<void> {
    try {
      while (this.isDirty && !this.closing.signal.aborted) {
        this.isDirty = false;
        await sync(this.descriptor);
        await SYSTEM_CLOCK.sleep(SYNC_INTERVAL_MS, this.closing.signal);
      }
    } catch (error) {
      this.failure = new CannotWrite(this.path, error);
    } finally {
      this.syncing = undefined;
    }
  }
}

/** What a journal says, without changing it. A journal that does not exist says nothing. */
export async function readState(path: string): Promise<JournalState> {
  const state = new JournalState();
  for await (const { event, line } of numberedEvents(path)) state.apply(event, line);
  return state;
}

/** @throws WrongUsage when a line in the middle cannot be read; the last line may be cut off */
async function* numberedEvents(path: string): AsyncGenerator<NumberedEvent> {
  let line = 0;
  let damaged: number | undefined;
  for await (const text of linesOf(path)) {
    const event = parsed(text);
    if (event === undefined) {
      damaged ??= line;
    } else {
      if (damaged !== undefined) {
        throw new WrongUsage(
          `Line ${damaged + 1} of ${path} is damaged. Load the folder with --again: the service recognises what it has.`,
        );
      }
      yield { event, line };
    }
    line += 1;
  }
}

/** The events of a journal that are not set aside. */
async function* eventsThatCount(path: string, state: JournalState): AsyncGenerator<NumberedEvent> {
  for await (const numbered of numberedEvents(path)) {
    const { event, line } = numbered;
    if (!('kind' in event) || line >= state.of(event.kind).from) yield numbered;
  }
}

/** The rows that failed and did not arrive, as they failed last; in the order of the events. */
export async function* failuresOf(path: string, state: JournalState): AsyncGenerator<Failed> {
  for await (const { event, line } of eventsThatCount(path, state)) {
    if (event.event !== 'failed') continue;
    const { arrived, failedAgain } = state.of(event.kind);
    if (!arrived.has(event.start) && (failedAgain.get(event.start) ?? line) === line) yield event;
  }
}

function parsed(text: string): JournalEvent | undefined {
  try {
    return JSON.parse(text) as JournalEvent;
  } catch {
    return undefined;
  }
}

/** Lines that end with a line feed. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  const chunks = createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        const piece = chunk.subarray(from, at);
        yield (rest.length === 0 ? piece : Buffer.concat([...rest, piece])).toString('utf8');
        rest = [];
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
