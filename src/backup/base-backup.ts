import { randomBytes } from 'node:crypto';
import type { PassThrough } from 'node:stream';
import type pg from 'pg';
import type { WalRange } from './backup.types.js';
import { connectUntil } from './interruptible-connection.js';

/** Where a base backup goes. Both streams are ended when it is complete. */
export interface BaseBackupTarget {
  /** The files of the server as a tar archive, with the log that makes them consistent. */
  readonly archive: PassThrough;
  /** PostgreSQL's list of these files with their checksums. */
  readonly manifest: PassThrough;
  /** Called once, before the first byte. @param bytes about the size of the archive, without the log */
  readonly onStart: (bytes: number) => void;
}

export interface BaseBackup {
  /** For example `18.4`. */
  readonly postgresVersion: string;
  readonly wal: WalRange;
}

/**
 * Copy the files of a running PostgreSQL server, as pg_basebackup does.
 *
 * The server itself reads its files and verifies the checksum of each page. The log that it writes meanwhile is part of the
 * archive; a temporary replication slot keeps it until then, and ends with the connection, however that ends.
 *
 * @param url of a role that may replicate
 * @param stop ends the copy when it fires
 */
export async function baseBackup(
  url: string,
  target: BaseBackupTarget,
  stop: AbortSignal,
): Promise<BaseBackup> {
  const { client, close } = await connectUntil(stop, `${url}&replication=true`);
  try {
    const slot = `data_import_backup_${randomBytes(8).toString('hex')}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    const wal = await new Promise<WalRange>((resolve, reject) => {
      client.query(new BaseBackupQuery(target, resolve, reject));
    });
    return { postgresVersion: rows[0]?.server_version ?? '', wal };
  } finally {
    await close();
  }
}

/** The first byte of a message of the copy. */
const NEXT_ARCHIVE = 'n'.charCodeAt(0);
const NEXT_MANIFEST = 'm'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);

/**
 * The command BASE_BACKUP of the replication protocol: three results (start; tablespaces; end) and, after the second one,
 * the messages of the copy. pg passes all of them to the query that it is running, and has none for this command.
 *
 * Source: the chapter "Streaming Replication Protocol" of PostgreSQL's documentation.
 */
class BaseBackupQuery implements pg.Submittable {
  private readonly rows: (string | null)[][] = [];
  private current: PassThrough | undefined;

  constructor(
    private readonly target: BaseBackupTarget,
    private readonly resolve: (range: WalRange) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: pg.Connection): void {
    connection.query(`BASE_BACKUP (LABEL 'data-import', PROGRESS, CHECKPOINT 'fast', WAL, MANIFEST 'yes')`);
  }

  handleRowDescription(): void {
    // The columns of the three results are known.
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.push(fields);
    // Of the tablespaces the size in kilobytes.
    if (this.rows.length === 2) this.target.onStart(Number(fields[2]) * 1024);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: pg.Connection): void {
    if (chunk[0] === NEXT_ARCHIVE) this.goOnTo(this.target.archive, connection);
    else if (chunk[0] === NEXT_MANIFEST) this.goOnTo(this.target.manifest, connection);
    else if (chunk[0] === DATA) this.write(chunk.subarray(1), connection);
  }

  handleCommandComplete(): void {
    // The last one is followed by the end of the query.
  }

  handleReadyForQuery(connection: pg.Connection): void {
    this.goOnTo(undefined, connection);
    const [start, end] = [this.rows.at(0), this.rows.at(-1)];
    this.resolve({ timeline: Number(start?.[1]), start: start?.[0] ?? '', end: end?.[0] ?? '' });
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  private goOnTo(next: PassThrough | undefined, { stream }: pg.Connection): void {
    if (next !== undefined && next === this.current) {
      this.reject(new Error('the database has tablespaces, whose files are elsewhere'));
    }
    this.current?.end();
    this.current = next;
    // What is ended is not waited for.
    stream.resume();
  }

  private write(data: Buffer, { stream }: pg.Connection): void {
    const { current } = this;
    // After a failure what is still on its way is dropped.
    if (!current?.writable) return;
    // A copy, because pg uses the memory of its messages again.
    if (current.write(Buffer.from(data)) || stream.isPaused()) return;
    stream.pause();
    current.once('drain', () => stream.resume());
  }
}
