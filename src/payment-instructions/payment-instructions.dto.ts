import { ApiProperty } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { Required } from '../common/validation/field.decorators.js';
import { fromCatalogue, text } from '../common/validation/rules.js';
import type { InstructionClaim } from './payment-instructions.service.js';

const REFERENCE_MAX = 512;

/** The payload of `POST payment-instruction/create/` (specification 2.6; contract P1, X3, T14). */
export class CreatePaymentInstructionDto extends AccountRefDto {
  @Required(fromCatalogue('vendor'))
  vendor: string;

  @Required(text({ max: REFERENCE_MAX }))
  reference: string;

  @Required(fromCatalogue('instruction_type'))
  type: string;
}

/** The answer (specification 4.4). */
export class PaymentInstructionResultDto {
  @ApiProperty()
  service_account_number: string;

  @ApiProperty()
  reference: string;
}

export function toInstructionClaim({
  vendor,
  reference,
  type,
}: CreatePaymentInstructionDto): InstructionClaim {
  return { vendor, reference, type };
}

export function toPaymentInstructionResult(
  { reference }: InstructionClaim,
  serviceAccountNumber: string,
): PaymentInstructionResultDto {
  return { service_account_number: serviceAccountNumber, reference };
}
