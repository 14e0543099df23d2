import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '../infrastructure/validation/openapi.js';
import { toAccountRef } from '../ingest/account-ref.js';
import { ImportRoute } from '../ingest/import-route.js';
import { PAYMENT_INSTRUCTION } from '../ingest/kinds/payment-instruction.item.js';
import { ImportQuery } from '../ingest/import-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../infrastructure/validation/input.decorator.js';
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
  @ImportRoute('payment_instruction')
  @ApiOperation({
    operationId: 'createPaymentInstruction',
    summary: 'Attach a payment instruction to an imported account',
    description:
      'The service verifies at the vendor that the instruction exists, also in a dry run. ' +
      `Safe to repeat: if the account already has the instruction of this ${PAYMENT_INSTRUCTION.same.join(' and ')}, ` +
      'the answer is the same and the vendor is not called; with another `type` it is 400 with `payment_instruction_already_exists`, and nothing is changed. 400 with `payment_instruction_not_found` or `payment_vendor_rejected` is permanent: do not send the same request again. 500 with `payment_vendor_unavailable` is temporary: send it again.\n\nThe vendor `SANDBOX` is for trials, where the operator offers it (otherwise `payment_vendor_not_configured`): a `reference` that begins with `ok_` exists, with `missing_` does not exist, with `rejected_` is rejected, with `flaky_` works at the third attempt, with `down_` gets no answer; any other does not exist.',
  })
  @ApiCreatedResponse({
    type: PaymentInstructionResultDto,
    description: 'The instruction is attached to the account.',
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
      query.dry_run === true,
    );
    return toPaymentInstructionResult(instruction, number);
  }
}
