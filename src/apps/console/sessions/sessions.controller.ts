import { Get, Param, Post, Query } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import { readText } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { SessionsService } from '../signed-in/sessions.service.js';
import {
  CurrentOperator,
  CurrentUser,
  type SignedInOperator,
  type SignedIn,
} from '../signed-in/signed-in.js';
import { sessionsPage } from './sessions.page.js';

/** `/console/sessions`, for operators, and `/console/sign-out` (choice C1). */
@ConsoleController('')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  async list(@CurrentOperator() signedIn: SignedInOperator, @Query('after') after: unknown): Promise<Page> {
    return sessionsPage(await this.sessions.page(readText(after)), signedIn);
  }

  @Post('sessions/:id/revoke')
  async revoke(@CurrentOperator() signedIn: SignedInOperator, @Param('id') id: string): Promise<Redirection> {
    await this.sessions.revoke(id, signedIn.recordedAs);
    return { location: ADDRESSES.sessions };
  }

  @Post('sign-out')
  async signOut(@CurrentUser() signedIn: SignedIn): Promise<Redirection> {
    await this.sessions.signOut(signedIn);
    return { location: ADDRESSES.signIn, session: 'ended' };
  }
}
