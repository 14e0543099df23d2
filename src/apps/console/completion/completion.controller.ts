import { Body } from '@nestjs/common';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { ConsoleAnswer } from '../layout/page.js';
import { OPERATORS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import { answerToCompletion, completionPage } from './completion.page.js';
import { SupplierCompletionService } from './supplier-completion.service.js';

/** Completing a supplier, for operators only. For an admin these pages do not exist (choices C3, C13). */
@ConsoleController('suppliers/:code/complete')
export class CompletionController {
  constructor(private readonly completion: SupplierCompletionService) {}

  @PageFor(OPERATORS)
  async show(@AtSupplier() { supplier }: SupplierRequest): Promise<ConsoleAnswer> {
    return completionPage(await this.completion.show(supplier));
  }

  @FormFor(OPERATORS)
  async complete(@AtSupplier() request: SupplierRequest, @Body() form: FormFields): Promise<ConsoleAnswer> {
    return answerToCompletion(await this.completion.complete(request, form), form);
  }
}
