import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { NotAllowed, PageNotFound, SignInRequired } from '../common/page-errors.js';
import { hasFormToken } from './form-token.js';
import type { ConsoleRequest, SignedInUser } from './signed-in-user.js';

/** The kind of the signed-in user who makes a request, or `visitor` for somebody without a session. */
export type Role = SignedInUser['kind'] | 'visitor';

export const OPERATORS: readonly Role[] = ['operator'];
/** Everyone who is signed in. */
export const USERS: readonly Role[] = [...OPERATORS, 'viewer', 'admin'];
/** Everyone, with a session or without. */
export const VISITORS: readonly Role[] = [...USERS, 'visitor'];

/** Declares the roles that may use a route. */
export const For = Reflector.createDecorator<readonly Role[]>();

/**
 * Rejects three kinds of requests to the console: those without a session, unless the route is for visitors; changes without a form
 * token of this service; and those of users whose role the route does not declare. For these the page does not exist.
 *
 * Source: choices C1, C3.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<ConsoleRequest>();
    const roles = this.reflector.get<readonly Role[] | undefined>(For.KEY, execution.getHandler());
    if (!request.user && !roles?.includes('visitor')) throw new SignInRequired();
    if (request.method === 'POST' && !hasFormToken(request)) throw new NotAllowed();
    if (!roles?.includes(request.user?.kind ?? 'visitor')) throw new PageNotFound();
    return true;
  }
}
