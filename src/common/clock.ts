import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { calendarDayIn } from './dates.js';

/** The one source of the present moment, so that a test can choose it. */
@Injectable()
export class Clock {
  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  now(): Date {
    return new Date();
  }

  /** Today's calendar day, `YYYY-MM-DD`, in the platform's time zone (contract S6). */
  today(): string {
    return calendarDayIn(this.environment.PLATFORM_TIMEZONE, this.now());
  }
}
