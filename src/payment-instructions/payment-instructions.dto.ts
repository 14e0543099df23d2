import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { AccountRefDto } from '../accounts/account-ref.js';
import { Required } from '../common/validation/field.decorators.js';
import { described, fromCatalogue, reference } from '../common/validation/rules.js';
import type { NewInstruction } from './payment-instructions.types.js';

/** The payload of `POST payment-instruction/create/` (specification 2.6; contract P1, X3, T14). */
@ApiSchema({ description: 'A payment instruction for one account.' })
export class CreatePaymentInstructionDto extends AccountRefDto {
  @Required(described(fromCatalogue('vendor'), 'The payment vendor that holds the instruction.'))
  vendor: string;

  @Required(described(reference, 'The reference of the instruction at the vendor.'))
  reference: string;

  @Required(
    described(
      fromCatalogue('instruction_type'),
      'What the instruction is. `CARD` and `DIRECT_DEBIT` must be what the vendor has.',
    ),
  )
  type: string;
}

/** The answer (specification 4.4). */
@ApiSchema({ description: 'The instruction is attached to this account.' })
export class PaymentInstructionResultDto {
  @ApiProperty({ description: 'Number of the platform account.' })
  service_account_number: string;

  @ApiProperty({ description: 'As it was sent.' })
  reference: string;
}

export function toNewInstruction({ vendor, reference, type }: CreatePaymentInstructionDto): NewInstruction {
  return { vendor, reference, type };
}

export function toPaymentInstructionResult(
  { reference }: NewInstruction,
  serviceAccountNumber: string,
): PaymentInstructionResultDto {
  return { service_account_number: serviceAccountNumber, reference };
}
