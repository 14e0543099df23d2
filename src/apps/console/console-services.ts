import { Injectable } from '@nestjs/common';
import { ConsoleErrorFilter } from './layout/console-error.filter.js';
import { SessionCookies } from './signed-in/session-cookies.js';
import { SessionsService } from './signed-in/sessions.service.js';

/** The services with which the HTTP server prepares a request for a page. */
@Injectable()
export class ConsoleServices {
  constructor(
    readonly sessions: SessionsService,
    readonly cookies: SessionCookies,
    /** Answers what requests for pages throw. */
    readonly errors: ConsoleErrorFilter,
  ) {}
}
