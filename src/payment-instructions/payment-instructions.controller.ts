import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toAccountRef } from '../accounts/account-ref.js';
import { ImportQuery, toImportMode } from '../imports/import-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import {
  CreatePaymentInstructionDto,
  PaymentInstructionResultDto,
  toNewInstruction,
  toPaymentInstructionResult,
} from './payment-instructions.dto.js';
import { PaymentInstructionsService } from './payment-instructions.service.js';

@ApiTags('payment instructions')
@Controller('v1/data-import/payment-instruction')
export class PaymentInstructionsController {
  constructor(private readonly instructions: PaymentInstructionsService) {}

  /** Attach a payment instruction to an imported account (specification 4.4). */
  @Post('create/')
  @ApiOperation({
    operationId: 'createPaymentInstruction',
    summary: 'Attach a payment instruction to an imported account',
    description:
      'The vendor is asked whether it has the instruction, also in a dry run. Safe to repeat: one of the same vendor and reference that the account has is answered the same, and the vendor not asked. 400 with `payment_instruction_not_found` or `payment_vendor_rejected` is for good: do not send the same request again. 500 with `payment_vendor_unavailable` is not: send it again.\n\nThe vendor `SANDBOX` is always there, to try with: a `reference` that begins with `ok_` exists, `missing_` does not, `rejected_` is refused, `flaky_` works at the third try, `down_` never answers; any other does not exist.',
  })
  @ApiCreatedResponse({
    type: PaymentInstructionResultDto,
    description: 'The instruction is on the account.',
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: ImportQuery, body: CreatePaymentInstructionDto })
    { query, body }: ValidInput<object, ImportQuery, CreatePaymentInstructionDto>,
  ): Promise<PaymentInstructionResultDto> {
    const instruction = toNewInstruction(body);
    const number = await this.instructions.verifyAndStore(
      caller,
      toAccountRef(body),
      instruction,
      toImportMode(query),
    );
    return toPaymentInstructionResult(instruction, number);
  }
}
