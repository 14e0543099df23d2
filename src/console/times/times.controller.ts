import { Body, Get, Headers, Inject, Post } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import { ADDRESSES } from '../common/addresses.js';
import type { FormFields } from '../common/parameters.js';
import { pageBefore, wantedPage } from '../common/wanted-page.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { readTimeZone } from '../viewers/time-zones.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { timesPage } from './times.page.js';

/** `/console/time-zone`: in which zone a browser is shown times (choice C7). */
@ConsoleController('time-zone')
export class TimesController {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  @Get()
  show(
    @CurrentViewer() { timeZone: chosen }: Viewer,
    @Headers() headers: Readonly<Record<string, string | undefined>>,
  ): Page {
    return timesPage({ chosen, ofPlatform: this.environment.PLATFORM_TIMEZONE, next: pageBefore(headers) });
  }

  @Post()
  choose(@Body() { zone = '', next }: FormFields): Redirection {
    return { location: wantedPage(next) ?? ADDRESSES.overview, timeZone: readTimeZone(zone) };
  }
}
