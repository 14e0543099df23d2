import type { ErrorCode, FieldErrorCode } from '../../../infrastructure/errors/errors.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';

/** An import request that was refused with 400 or 404. */
export interface Refusal {
  /** UUID of version 7 with the time of the refusal. */
  readonly id: string;
  readonly organisationId: string;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly kind: ImportKind;
  /** Code of the supplier as it was sent; it need not exist, nor be granted to the organisation. */
  readonly importSupplier: string;
  /** As it was sent, cut to 128 characters; empty when none was sent, or no text. */
  readonly externalAccountNumber: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** Path of the first field error, cut to 256 characters. */
  readonly attr: string | undefined;
  readonly fieldCode: FieldErrorCode | undefined;
  /** What was sent in the field, cut to 128 characters: only of a field with a closed set of values, and only if it is none of them. */
  readonly value: string | undefined;
  /** What it was about, as JSON (refused-items.ts). */
  readonly items: string | undefined;
  readonly isDryRun: boolean;
}
