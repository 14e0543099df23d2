import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../common/errors.js';
import { AuthService } from './auth.service.js';
import { IS_PUBLIC, isGraphql, requestOf } from './caller.js';

/**
 * Closes every route and every GraphQL operation that is not marked public. Who calls a route was found out before the
 * body was read (create-app.ts); here a route that nobody was found for stays shut. Which GraphQL operation a request
 * carries is known only now, so its caller is found out here.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly auth: AuthService,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = requestOf(execution);
    if (request.caller !== undefined) return true;
    const marks = [execution.getHandler(), execution.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, marks)) return true;
    if (!isGraphql(execution)) throw new AppError('not_authenticated');
    request.caller = await this.auth.authenticate(request.headers.authorization, request.id);
    return true;
  }
}
