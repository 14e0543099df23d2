import { Controller, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { toAccountRef } from '../accounts/account-ref.js';
import { LoadQuery, toLoadMode } from '../accounts/load-query.js';
import { CurrentCaller, type Caller } from '../auth/caller.js';
import { Input, type ValidInput } from '../common/validation/input.decorator.js';
import {
  CreatePaymentInstructionDto,
  PaymentInstructionResultDto,
  toInstructionClaim,
  toPaymentInstructionResult,
} from './payment-instructions.dto.js';
import { PaymentInstructionsService } from './payment-instructions.service.js';

@ApiTags('payment instructions')
@Controller('v1/data-import/payment-instruction')
export class PaymentInstructionsController {
  constructor(private readonly instructions: PaymentInstructionsService) {}

  /** Attach a payment instruction to an imported account (specification 4.4). */
  @Post('create/')
  @ApiOperation({ summary: 'Attach a payment instruction to an imported account' })
  @ApiCreatedResponse({ type: PaymentInstructionResultDto })
  async create(
    @CurrentCaller() caller: Caller,
    @Input({ query: LoadQuery, body: CreatePaymentInstructionDto })
    { query, body }: ValidInput<object, LoadQuery, CreatePaymentInstructionDto>,
  ): Promise<PaymentInstructionResultDto> {
    const claim = toInstructionClaim(body);
    const number = await this.instructions.verifyAndStore(
      caller,
      toAccountRef(body),
      claim,
      toLoadMode(query),
    );
    return toPaymentInstructionResult(claim, number);
  }
}
