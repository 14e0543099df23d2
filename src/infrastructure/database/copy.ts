import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Tx } from './unit-of-work.js';

/**
 * Send rows with COPY, the fastest way into PostgreSQL, in the caller's transaction.
 *
 * @param tx from {@link UnitOfWork.write}: it must have a connection of its own
 * @param command `COPY … FROM STDIN` in text format
 * @param rows lines in that format, in pieces of any size
 */
export async function copyInto(
  tx: Tx,
  command: string,
  rows: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  if (!tx.queryRunner) throw new Error('COPY needs a transaction.');
  // TypeORM does not declare the type of its driver's connection.
  const client = (await tx.queryRunner.connect()) as pg.PoolClient;
  await pipeline(Readable.from(rows), client.query(from(command)));
}

/** A value in COPY's text format; undefined becomes NULL. */
export function copyField(value: string | undefined): string {
  if (value === undefined) return '\\N';
  return /[\\\n\r\t]/.test(value)
    ? value.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '')
    : value;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
