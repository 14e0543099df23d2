import { Injectable } from '@nestjs/common';
import type { AccountRef } from '../ingest/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../infrastructure/clock/clock.js';
import { fieldError, validationError } from '../infrastructure/errors/errors.js';
import { AnsweredItems } from '../ingest/answered-items.js';
import { ImportRunner } from '../ingest/import-runner.js';
import { INSTRUCTION_IMPORT, INSTRUCTION_LOOKUP } from './payment-instructions.repository.js';
import type { NewInstruction } from './payment-instructions.types.js';
import type { InstructionDetails, InstructionKind } from './vendors/payment-vendor.js';
import { VendorGateway } from './vendors/vendor-gateway.js';

/** Payment instructions of imported accounts. */
@Injectable()
export class PaymentInstructionsService {
  constructor(
    private readonly imports: ImportRunner,
    private readonly vendors: VendorGateway,
    private readonly clock: Clock,
    private readonly counts: AnsweredItems,
  ) {}

  /**
   * Have a payment instruction confirmed by its vendor and attach it to an imported account. An existing instruction is answered
   * without a request to the vendor, and is refused if it is sent with another type.
   *
   * The request to the vendor is sent between two queries, while no database connection is held. Both queries check the access
   * to the account, because it may change in the seconds between them.
   *
   * @param isDryRun call the vendor and give the same answer, but store nothing
   * @returns the platform's number of the account
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, when the account has the
   *   instruction with another type, when the vendor is not configured, and when the vendor refuses permanently;
   *   `payment_vendor_unavailable` when a retry may succeed; `service_unavailable` at the limit on concurrent requests
   * Source: specification 4.4; choices P2 to P5, S2, S8, T10, R1.
   */
  async verifyAndStore(
    caller: Caller,
    account: AccountRef,
    instruction: NewInstruction,
    isDryRun: boolean,
  ): Promise<string> {
    const request = { caller, account, items: [instruction] };
    const found = await this.imports.run(INSTRUCTION_LOOKUP, request, false);
    if (found.stored_type !== null) {
      expectTypeOf(found.stored_type, instruction);
      this.counts.add('payment_instruction', isDryRun, 1, 0);
      return found.service_account_number;
    }
    const details = await this.vendors.find(instruction.vendor, instruction.reference, caller);
    expectKindOf(details, instruction.type);

    const verified = { ...instruction, details, verifiedAt: this.clock.now() };
    const added = await this.imports.run(INSTRUCTION_IMPORT, { ...request, items: [verified] }, isDryRun);
    // Another request may have stored it during the vendor call.
    if (added.stored_type !== null) expectTypeOf(added.stored_type, instruction);
    this.counts.add('payment_instruction', isDryRun, 1, added.stored_type === null ? 1 : 0);
    return added.service_account_number;
  }
}

/** @throws AppError `validation_error` with `payment_instruction_already_exists` */
function expectTypeOf(storedType: string, { type }: NewInstruction): void {
  if (type === storedType) return;
  throw validationError([fieldError('payment_instruction_already_exists', 'type')]);
}

/** The types that require a certain kind at the vendor. Every other type fits any kind. */
const KINDS: ReadonlyMap<string, InstructionKind> = new Map([
  ['CARD', 'card'],
  ['DIRECT_DEBIT', 'direct_debit'],
]);

/**
 * Require that the vendor's instruction is of the kind that the caller sent. A mandate booked as a card would be charged in
 * the wrong way months later, when nobody remembers the import.
 *
 * @param type a value of the catalogue `instruction_type`
 * @throws AppError `validation_error` with `payment_vendor_rejected`
 * Source: our choice, specification 2.6 leaves it open; choice P3.
 */
function expectKindOf({ kind }: Pick<InstructionDetails, 'kind'>, type: string): void {
  const expected = KINDS.get(type);
  if (kind === undefined || expected === undefined || kind === expected) return;
  const detail = `The vendor's instruction is not of the type ${type}. Do not send the same request again.`;
  throw validationError([fieldError('payment_vendor_rejected', 'reference', detail)]);
}
