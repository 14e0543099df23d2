import { Get, Param, Query } from '@nestjs/common';
import { readSegment, readText } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { differencesPage } from './differences.page.js';
import { DifferencesService } from './differences.service.js';

/** The accounts of a supplier that differ from their control totals (choice V6). */
@ConsoleController('suppliers/:code/differences')
export class DifferencesController {
  constructor(private readonly differences: DifferencesService) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query('after') after: unknown,
  ): Promise<Page> {
    return differencesPage(await this.differences.page(viewer, readSegment(code), readText(after)));
  }
}
