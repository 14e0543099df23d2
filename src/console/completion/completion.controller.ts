import { Body, Get, Param, Post } from '@nestjs/common';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { ConsoleAnswer } from '../layout/page.js';
import { CurrentOperator, type OperatorViewer } from '../viewers/viewer.js';
import { answerToCompletion, completionPage } from './completion.page.js';
import { SupplierCompletionService } from './supplier-completion.service.js';

/** Completing a supplier (choice C13). */
@ConsoleController('suppliers/:code/complete')
export class CompletionController {
  constructor(private readonly completion: SupplierCompletionService) {}

  @Get()
  async show(@CurrentOperator() viewer: OperatorViewer, @Param('code') code: string): Promise<ConsoleAnswer> {
    return completionPage(await this.completion.show(viewer, code));
  }

  @Post()
  async complete(
    @CurrentOperator() viewer: OperatorViewer,
    @Param('code') code: string,
    @Body() form: FormFields,
  ): Promise<ConsoleAnswer> {
    return answerToCompletion(await this.completion.complete(viewer, code, form), form);
  }
}
