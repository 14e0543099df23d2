import { randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID; PostgreSQL raises an error when a `uuid` column is compared with anything else. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** A UUID of version 7: milliseconds since 1970 in 48 bits, the rest at random. Node.js 20 makes those of version 4 only. */
export function timeOrderedId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
