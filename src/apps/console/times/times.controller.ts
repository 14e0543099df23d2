import { Body, Headers, Inject } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { ADDRESSES } from '../common/addresses.js';
import type { FormFields } from '../common/parameters.js';
import { pageBefore, wantedPage } from '../common/wanted-page.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { USERS } from '../signed-in/session.guard.js';
import { CurrentUser, type SignedInUser } from '../signed-in/signed-in-user.js';
import { readTimeZone } from '../signed-in/time-zones.js';
import { timesPage } from './times.page.js';

/** `/console/time-zone`: the time zone of a browser's pages (choices C2, C7). */
@ConsoleController('time-zone')
export class TimesController {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  @PageFor(USERS)
  show(
    @CurrentUser() { timeZone: chosen }: SignedInUser,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
  ): Page {
    const { PLATFORM_TIMEZONE: ofPlatform } = this.environment;
    return timesPage({ chosen, ofPlatform, next: pageBefore(headers) });
  }

  @FormFor(USERS)
  choose(@Body() form: FormFields): Redirection {
    return { location: wantedPage(form.next) ?? ADDRESSES.overview, timeZone: readTimeZone(form.zone ?? '') };
  }
}
