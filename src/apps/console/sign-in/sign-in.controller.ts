import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ClientAddress } from '../../../auth/caller.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { FormFields } from '../common/parameters.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import { WithoutSession } from '../signed-in/session.guard.js';
import { UserIfAny, type SignedInUser } from '../signed-in/signed-in-user.js';
import { KeptPage } from './kept-page.js';
import { answerToApiKey, answerToLink, linkPage, signInPage } from './sign-in.page.js';
import { SignInService } from './sign-in.service.js';

/** `/console/sign-in` (choice C1). */
@ConsoleController('sign-in')
@WithoutSession()
export class SignInController {
  constructor(private readonly signIn: SignInService) {}

  @Get()
  showForm(@Query('next') next: unknown): Page {
    return signInPage(next);
  }

  @Post()
  async useApiKey(
    @Body() { api_key: key = '', next }: FormFields,
    @ClientAddress() address: string,
    @UserIfAny() user: SignedInUser | undefined,
  ): Promise<ConsoleAnswer> {
    return answerToApiKey(await this.signIn.withApiKey(key, { address, user }), next);
  }

  @Get(':code')
  showLink(
    @Param('code') code: string,
    @Query('next') next: unknown,
    @KeptPage() kept: string | undefined,
  ): Page {
    return linkPage(code, next ?? kept);
  }

  @Post(':code')
  async useLink(
    @Param('code') code: string,
    @Body() { next }: FormFields,
    // When a link is opened from a chat, only the POST of its page has the cookie.
    @KeptPage() kept: string | undefined,
    @ClientAddress() address: string,
    @UserIfAny() user: SignedInUser | undefined,
  ): Promise<ConsoleAnswer> {
    return answerToLink(await this.signIn.withCode(code, { address, user }), next ?? kept);
  }
}
