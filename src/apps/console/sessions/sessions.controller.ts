import { Param, Query } from '@nestjs/common';
import { HasOwnQueue } from '../../../infrastructure/limits/holds.js';
import { ADDRESSES } from '../common/addresses.js';
import { readText } from '../common/parameters.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { ConsoleAnswer, Page, Redirection } from '../layout/page.js';
import { IdentityProvider } from '../sign-in/identity-provider.js';
import { signedOutPage } from '../sign-in/sign-in.page.js';
import { OPERATORS, USERS } from '../signed-in/session.guard.js';
import { SessionsService } from '../signed-in/sessions.service.js';
import { CurrentUser, type SignedInUser } from '../signed-in/signed-in-user.js';
import { sessionsPage } from './sessions.page.js';

/** `/console/sessions`, for operators, and `/console/sign-out` (choice C1). */
@ConsoleController('')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly provider: IdentityProvider,
  ) {}

  @PageFor(OPERATORS, 'sessions')
  async list(@CurrentUser() user: SignedInUser, @Query('after') after: unknown): Promise<Page> {
    return sessionsPage(await this.sessions.page(readText(after)), user);
  }

  @FormFor(OPERATORS, 'sessions/:id/revoke')
  async revoke(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<Redirection> {
    await this.sessions.revoke(id, user.recordedAs);
    return { location: ADDRESSES.sessions };
  }

  @FormFor(USERS, 'sign-out')
  @HasOwnQueue()
  async signOut(@CurrentUser() user: SignedInUser): Promise<ConsoleAnswer> {
    await this.sessions.signOut(user);
    const address = user.isPerson === true ? await this.provider.signOutAddress() : undefined;
    return typeof address === 'string'
      ? signedOutPage(address)
      : { location: ADDRESSES.signIn, session: 'ended' };
  }
}
