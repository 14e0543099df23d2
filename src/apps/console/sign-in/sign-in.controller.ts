import { Body, Param, Query } from '@nestjs/common';
import { ClientAddress } from '../../../auth/caller.js';
import { HasOwnQueue } from '../../../infrastructure/limits/holds.js';
import type { FormFields, SentQuery } from '../common/parameters.js';
import { wantedPage } from '../common/wanted-page.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import { VISITORS } from '../signed-in/session.guard.js';
import { UserIfAny, type SignedInUser } from '../signed-in/signed-in-user.js';
import { KeptPage, KeptSignIn } from './kept-page.js';
import {
  answerToApiKey,
  answerToBegin,
  answerToLink,
  answerToProvider,
  linkPage,
  signInPage,
} from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** `/console/sign-in` (choice C1). */
@ConsoleController('sign-in')
export class SignInController {
  constructor(private readonly signIn: SignInService) {}

  @PageFor(VISITORS)
  showWays(@Query('next') next: unknown): Page {
    return signInPage(this.signIn.ways, next);
  }

  @FormFor(VISITORS)
  async useApiKey(
    @Body() { api_key: key = '', next }: FormFields,
    @ClientAddress() address: string,
    @UserIfAny() user: SignedInUser | undefined,
  ): Promise<ConsoleAnswer> {
    return answerToApiKey(await this.signIn.withApiKey(key, { address, user }), this.signIn.ways, next);
  }

  @PageFor(VISITORS, 'start')
  @HasOwnQueue()
  async begin(
    @Query('next') next: unknown,
    @KeptPage() kept: string | undefined,
    @ClientAddress() address: string,
  ): Promise<ConsoleAnswer> {
    const wanted = wantedPage(next ?? kept);
    return answerToBegin(await this.signIn.begin(address, wanted), this.signIn.ways, wanted);
  }

  /** The provider adds parameters of its own. */
  @PageFor(VISITORS, 'callback')
  @HasOwnQueue()
  async useProvider(
    @Query() query: SentQuery,
    @KeptSignIn() begun: string | undefined,
    @ClientAddress() address: string,
    @UserIfAny() user: SignedInUser | undefined,
  ): Promise<ConsoleAnswer> {
    return answerToProvider(
      await this.signIn.withProvider(query, begun, { address, user }),
      this.signIn.ways,
    );
  }

  @PageFor(VISITORS, ':code')
  showLink(
    @Param('code') code: string,
    @Query('next') next: unknown,
    @KeptPage() kept: string | undefined,
  ): Page {
    return linkPage(code, next ?? kept);
  }

  @FormFor(VISITORS, ':code')
  async useLink(
    @Param('code') code: string,
    @Body() { next }: FormFields,
    // When a link is opened from a chat, only the POST of its page has the cookie.
    @KeptPage() kept: string | undefined,
    @ClientAddress() address: string,
    @UserIfAny() user: SignedInUser | undefined,
  ): Promise<ConsoleAnswer> {
    return answerToLink(await this.signIn.withCode(code, { address, user }), this.signIn.ways, next ?? kept);
  }
}
