import { Get, Param, Post, Query } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import { readText } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { SessionsService } from '../viewers/sessions.service.js';
import { CurrentOperator, CurrentViewer, type OperatorViewer, type Viewer } from '../viewers/viewer.js';
import { sessionsPage } from './sessions.page.js';

/** `/console/sessions`, for operators, and `/console/sign-out` (choice C1). */
@ConsoleController('')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  async list(@CurrentOperator() viewer: OperatorViewer, @Query('after') after: unknown): Promise<Page> {
    return sessionsPage(await this.sessions.page(readText(after)), viewer);
  }

  @Post('sessions/:id/revoke')
  async revoke(@CurrentOperator() viewer: OperatorViewer, @Param('id') id: string): Promise<Redirection> {
    await this.sessions.revoke(id, viewer.recordedAs);
    return { location: ADDRESSES.sessions };
  }

  @Post('sign-out')
  async signOut(@CurrentViewer() viewer: Viewer): Promise<Redirection> {
    await this.sessions.signOut(viewer);
    return { location: ADDRESSES.signIn, session: 'ended' };
  }
}
