import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../common/errors.js';
import { AuthService } from './auth.service.js';
import { IS_PUBLIC, isGraphql, requestOf } from './caller.js';

/**
 * Refuses every route and GraphQL operation that is not public to a caller who is not authenticated. The caller of a REST
 * route has been authenticated before its body was read (http/plugins/authentication.plugin.ts). The caller of a GraphQL
 * operation is authenticated here, because only now it is known which operation the request executes.
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
