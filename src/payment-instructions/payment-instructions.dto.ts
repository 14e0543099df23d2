import { ApiProperty, ApiSchema } from '../infrastructure/validation/openapi.js';
import { AccountRefDto } from '../ingest/account-ref.js';
import { CatalogueField, ReferenceField } from '../infrastructure/validation/field.decorators.js';
import { Item } from '../infrastructure/validation/item-bytes.js';
import type { Described } from '../ingest/kinds/item-kind.js';
import type { PAYMENT_INSTRUCTION } from '../ingest/kinds/payment-instruction.item.js';
import type { NewInstruction } from './payment-instructions.types.js';

/** The payload of `POST payment-instruction/create/` (specification 2.6; choices P1, X3, T14). */
@Item({ description: 'A payment instruction for one account.' })
export class CreatePaymentInstructionDto extends AccountRefDto {
  @CatalogueField('vendor', { description: 'The payment vendor that holds the instruction.' })
  vendor: string;

  @ReferenceField({ description: "The instruction's reference at the vendor." })
  reference: string;

  @CatalogueField('instruction_type', {
    description: 'The type of the instruction. `CARD` and `DIRECT_DEBIT` must match what the vendor holds.',
  })
  type: string;
}

/** The answer (specification 4.4). */
@ApiSchema({ description: 'The account that the instruction was attached to.' })
export class PaymentInstructionResultDto {
  @ApiProperty({ description: 'Number of the platform account.' })
  service_account_number: string;

  @ApiProperty({ description: 'As sent.' })
  reference: string;
}

export function toNewInstruction({ vendor, reference, type }: CreatePaymentInstructionDto): NewInstruction {
  const sent: Described<
    typeof PAYMENT_INSTRUCTION,
    Omit<CreatePaymentInstructionDto, keyof AccountRefDto>
  > = {
    vendor,
    reference,
    type,
  };
  return { vendor, reference, type, sent };
}

export function toPaymentInstructionResult(
  { reference }: NewInstruction,
  serviceAccountNumber: string,
): PaymentInstructionResultDto {
  return { service_account_number: serviceAccountNumber, reference };
}
