import { Injectable } from '@nestjs/common';
import { passDoor } from '../imports/account-access.js';
import type { AccountRef } from '../accounts/account-ref.js';
import type { Caller } from '../auth/caller.js';
import { Clock } from '../common/clock.js';
import { UnitOfWork, type ImportMode } from '../database/unit-of-work.js';
import { expectKindOf } from './instruction-kind.js';
import { PaymentInstructionsRepository } from './payment-instructions.repository.js';
import { VendorGateway } from './vendors/vendor-gateway.js';
import type { NewInstruction, InstructionAnswer } from './payment-instructions.types.js';

/** Payment instructions of imported accounts. */
@Injectable()
export class PaymentInstructionsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: PaymentInstructionsRepository,
    private readonly vendors: VendorGateway,
    private readonly clock: Clock,
  ) {}

  /**
   * Have a payment instruction confirmed by its vendor and attach it to an imported account. One that is there already
   * is answered without asking the vendor again.
   *
   * The vendor is asked between two statements, while no connection to the database is held. The account passes its door
   * in both of them, for much may happen in the seconds in between.
   *
   * @param mode a dry run asks the vendor, answers the same and stores nothing
   * @returns the platform's number of the account
   * @throws AppError `account_not_found`; `validation_error` while the supplier is not ongoing, when there is no connection
   *   to the vendor, and when the vendor refuses for good; `payment_vendor_unavailable` when another try may succeed
   * Source: specification 4.4; contract P2 to P5, S2, S8, T10, R1.
   */
  async verifyAndStore(
    caller: Caller,
    ref: AccountRef,
    claim: NewInstruction,
    mode: ImportMode,
  ): Promise<string> {
    const before = await this.work.single((tx) => this.repository.find(tx, { caller, ref }, claim));
    const serviceAccountNumber = numberOf(before);
    if (before.is_stored) return serviceAccountNumber;

    const details = await this.vendors.ask(claim.vendor, claim.reference, caller.requestId);
    expectKindOf(details, claim.type);

    const verified = { ...claim, details, verifiedAt: this.clock.now() };
    return numberOf(
      await this.work.load(mode, (tx) => this.repository.insertMissing(tx, { caller, ref }, verified)),
    );
  }
}

function numberOf(answer: InstructionAnswer): string {
  passDoor(answer);
  if (answer.service_account_number === null) throw new Error('An imported account has no number.');
  return answer.service_account_number;
}
