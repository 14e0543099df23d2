import { closeSync, createReadStream, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { CannotWrite, WrongUsage } from '@data-import/files';
import { SYSTEM_CLOCK } from '../common/clock.js';
import { parsed } from '../common/parsed.js';
import type { Failed, JournalEvent } from './events.js';
import { JournalState } from './state.js';

/** The shortest time between two syncs. Writes without a sync survive the death of the process. */
const SYNC_INTERVAL_MS = 250;

/** Events that do not change the outcome of a row. */
const UNCHANGING: ReadonlySet<JournalEvent['event']> = new Set(['run', 'prepared', 'checked', 'rates']);

const LINE_FEED = 0x0a;

const sync = promisify(fdatasync);

export interface NumberedEvent {
  readonly event: JournalEvent;
  /** The number of its line in the file, counted from 0. */
  readonly line: number;
}

/** The content of a journal, with the lines and bytes of its complete events. */
interface Content {
  readonly state: JournalState;
  readonly lines: number;
  readonly bytes: number;
}

/**
 * The events of a folder's runs, one JSON object a line. Each event is written before any other work is done; the lines
 * are synced to disk in groups. A process that is killed therefore loses nothing, and a machine that loses power loses a
 * quarter of a second. Lost rows are sent again, and the service answers that it already has them.
 */
export class Journal {
  private readonly descriptor: number;
  readonly state: JournalState;
  private lines: number;
  private syncing: Promise<void> | undefined;
  private isDirty = false;
  private readonly closing = new AbortController();
  /** Set once an event could not be stored on disk. */
  private failure: Error | undefined;
  /** Called before the first event that changes the outcome of rows. */
  beforeChange: (() => void) | undefined;

  private constructor(
    private readonly path: string,
    { state, lines, bytes }: Content,
  ) {
    this.state = state;
    this.lines = lines;
    this.descriptor = openSync(path, 'a', 0o600);
    ftruncateSync(this.descriptor, bytes);
  }

  /** Read the journal, and remove a line that was cut off at its end. Only the holder of the lock may call this. */
  static async open(path: string): Promise<Journal> {
    return new Journal(path, await contentOf(path));
  }

  /** @throws CannotWrite, also if an earlier event could not be stored: the file may then end with a part of a line */
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

/** Read a journal without changing it. A journal that does not exist is empty. */
export async function readState(path: string): Promise<JournalState> {
  return (await contentOf(path)).state;
}

async function contentOf(path: string): Promise<Content> {
  const state = new JournalState();
  let [lines, bytes] = [0, 0];
  for await (const { event, line, end } of numberedEvents(path)) {
    state.apply(event, line);
    [lines, bytes] = [line + 1, end];
  }
  return { state, lines, bytes };
}

/** @throws WrongUsage when a line in the middle cannot be read; the last line may be cut off */
async function* numberedEvents(path: string): AsyncGenerator<NumberedEvent & { readonly end: number }> {
  let line = 0;
  let end = 0;
  let damaged: number | undefined;
  for await (const bytes of linesOf(path)) {
    const event = parsed(bytes.toString()) as JournalEvent | undefined;
    end += bytes.length + 1;
    if (event === undefined) {
      damaged ??= line;
    } else {
      if (damaged !== undefined) {
        throw new WrongUsage(
          `Line ${damaged + 1} of ${path} is damaged. Load the folder with --again: the service recognises what it has.`,
        );
      }
      yield { event, line, end };
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

/** The lines that end with a line feed, without it. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  const chunks = createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      let from = 0;
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        const piece = chunk.subarray(from, at);
        yield rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
        rest = [];
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
