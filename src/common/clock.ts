import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { calendarDayIn } from './dates.js';

const MINUTE_MS = 60_000;

/**
 * The one source of the present moment, so that a test can choose it; only tokens are judged by the clock of their library.
 */
@Injectable()
export class Clock {
  /** The calendar day of one minute; a day begins with a whole minute in every time zone. */
  private latest = { minute: NaN, day: '' };

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  now(): Date {
    return new Date();
  }

  /** Today's calendar day, `YYYY-MM-DD`, in the platform's time zone (contract S6). */
  today(): string {
    const now = this.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute !== this.latest.minute) {
      this.latest = { minute, day: calendarDayIn(this.environment.PLATFORM_TIMEZONE, now) };
    }
    return this.latest.day;
  }
}
