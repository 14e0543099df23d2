import type { ErrorCode, FieldErrorCode } from '../../../infrastructure/errors/errors.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';

/** An import request that was refused with 400 or 404. */
export interface Refusal {
  /** UUID of version 7, made from the time of the refusal. */
  readonly id: string;
  readonly organisationId: string;
  readonly apiKeyId: string;
  readonly requestId: string;
  readonly traceId: string | undefined;
  readonly kind: ImportKind;
  /** Code of the supplier as sent. It may not exist or not be granted to the organisation. */
  readonly importSupplier: string;
  /** As sent, cut to 128 characters; empty when it was missing or not a string. */
  readonly externalAccountNumber: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** Path of the first field error, cut to 256 characters. */
  readonly attr: string | undefined;
  readonly fieldCode: FieldErrorCode | undefined;
  /**
   * The value of the field, cut to 128 characters. It is kept only for a field with a closed set of values, when it is none
   * of them.
   */
  readonly value: string | undefined;
  /** The items of the request, as JSON (refused-items.ts). */
  readonly items: string | undefined;
  readonly isDryRun: boolean;
}
