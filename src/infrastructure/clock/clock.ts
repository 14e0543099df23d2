import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../config/settings.js';
import { calendarDayIn } from './dates.js';

const MINUTE_MS = 60_000;

/** The only source of the current time, so that tests can replace it. The token library uses its own clock. */
@Injectable()
export class Clock {
  /** The calendar day of the latest minute. In every time zone a day begins at a whole minute. */
  private latest = { minute: NaN, day: '' };

  constructor(@Inject(ENVIRONMENT) private readonly environment: Environment) {}

  now(): Date {
    return new Date();
  }

  /** Today, `YYYY-MM-DD`, in the platform's time zone (choice S6). */
  today(): string {
    const now = this.now();
    const minute = Math.floor(now.getTime() / MINUTE_MS);
    if (minute !== this.latest.minute) {
      this.latest = { minute, day: calendarDayIn(this.environment.PLATFORM_TIMEZONE, now) };
    }
    return this.latest.day;
  }
}
