import { Body, Get, Post } from '@nestjs/common';
import { PageNotFound } from '../common/page-errors.js';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { ConsoleAnswer } from '../layout/page.js';
import { OperatorAtSupplier, type OperatorRequest } from '../signed-in/supplier-request.js';
import { answerToCompletion, completionPage } from './completion.page.js';
import { SupplierCompletionService } from './supplier-completion.service.js';

/** Completing a supplier, for operators only. For an admin these pages do not exist (choices C3, C13). */
@ConsoleController('suppliers/:code/complete')
export class CompletionController {
  constructor(private readonly completion: SupplierCompletionService) {}

  @Get()
  async show(@OperatorAtSupplier(PageNotFound) { supplier }: OperatorRequest): Promise<ConsoleAnswer> {
    return completionPage(await this.completion.show(supplier));
  }

  @Post()
  async complete(
    @OperatorAtSupplier(PageNotFound) request: OperatorRequest,
    @Body() form: FormFields,
  ): Promise<ConsoleAnswer> {
    return answerToCompletion(await this.completion.complete(request, form), form);
  }
}
