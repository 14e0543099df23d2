import { Get, Param, Post, Query } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import { readText } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { SessionsService } from '../signed-in/sessions.service.js';
import { CurrentUser, type SignedInUser } from '../signed-in/signed-in-user.js';
import { sessionsPage } from './sessions.page.js';

/** `/console/sessions`, for operators, and `/console/sign-out` (choice C1). */
@ConsoleController('')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  async list(@CurrentUser() user: SignedInUser, @Query('after') after: unknown): Promise<Page> {
    return sessionsPage(await this.sessions.page(readText(after)), user);
  }

  @Post('sessions/:id/revoke')
  async revoke(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<Redirection> {
    await this.sessions.revoke(id, user.recordedAs);
    return { location: ADDRESSES.sessions };
  }

  @Post('sign-out')
  async signOut(@CurrentUser() user: SignedInUser): Promise<Redirection> {
    await this.sessions.signOut(user);
    return { location: ADDRESSES.signIn, session: 'ended' };
  }
}
