import {
  ERRORS,
  FIELD_ERRORS,
  type AppError,
  type ErrorCode,
  type FieldErrorCode,
} from '../../../infrastructure/errors/errors.js';
import { isRefusal } from './refusal.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';

/** Why an import request is refused: the code of its first field error, or else the code of the answer. */
export type RefusalCode = ErrorCode | FieldErrorCode;

/** Every code that a refusal can have. */
export const REFUSAL_CODES: readonly RefusalCode[] = [
  ...(Object.keys(ERRORS) as ErrorCode[]).filter(isRefusal),
  ...(Object.keys(FIELD_ERRORS) as FieldErrorCode[]),
];

/** Counts, for the metrics, the import requests that this process has refused since its start. */
export class RefusalCounts {
  private readonly counts = new Map<string, number>();

  add(kind: ImportKind, { code, errors }: AppError): void {
    const reason = errors[0]?.code ?? code;
    this.counts.set(`${kind} ${reason}`, this.of(kind, reason) + 1);
  }

  of(kind: ImportKind, code: RefusalCode): number {
    return this.counts.get(`${kind} ${code}`) ?? 0;
  }
}
