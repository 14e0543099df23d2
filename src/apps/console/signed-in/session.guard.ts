import { Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { isForOperators } from '../common/addresses.js';
import { NotAllowed, PageNotFound, SignInRequired } from '../common/page-errors.js';
import { hasFormToken } from './form-token.js';
import type { ConsoleRequest } from './signed-in-user.js';

const WITHOUT_SESSION = 'withoutSession';

/** Makes the pages of a controller available without a session. */
export const WithoutSession = (): ClassDecorator => SetMetadata(WITHOUT_SESSION, true);

/**
 * Rejects three kinds of requests to the console: those without a session, unless the controller is marked `@WithoutSession()`; changes
 * without a form token of this service; and an admin's requests for pages that the navigation shows only to operators.
 *
 * Source: choices C1, C3.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<ConsoleRequest>();
    const isOpen = this.reflector.get<boolean | undefined>(WITHOUT_SESSION, execution.getClass()) === true;
    if (!isOpen && !request.user) throw new SignInRequired();
    if (request.method === 'POST' && !hasFormToken(request)) throw new NotAllowed();
    if (isForOperators(request.routeOptions.url ?? '') && request.user?.kind !== 'operator')
      throw new PageNotFound();
    return true;
  }
}
