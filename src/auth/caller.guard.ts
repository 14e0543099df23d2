import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../common/errors.js';
import { IS_FOR_PLATFORM } from '../common/for-platform.js';
import { IS_PUBLIC } from '../common/public.js';
import { originOf } from '../common/request-origin.js';
import { AuthService } from './auth.service.js';
import { isGraphql, requestOf, type AuthenticatedRequest, type Caller } from './caller.js';
import { RequestLimitService } from './request-limit.service.js';

/**
 * Refuses every route and GraphQL operation that is not public to a caller who is not authenticated. The caller of a REST
 * route has been authenticated before its body was read (http/plugins/authentication.plugin.ts). The caller of a GraphQL
 * operation is authenticated here, because only now it is known which operation the request executes. A request is
 * authenticated and counted once, however many fields it selects.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  /** The fields of an operation are resolved concurrently. */
  private readonly callers = new WeakMap<AuthenticatedRequest, Promise<Caller>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly auth: AuthService,
    private readonly limit: RequestLimitService,
  ) {}

  async canActivate(execution: ExecutionContext): Promise<boolean> {
    const request = requestOf(execution);
    const isMarked = (mark: string): boolean =>
      this.reflector.getAllAndOverride<boolean | undefined>(mark, [
        execution.getHandler(),
        execution.getClass(),
      ]) === true;
    const isForPlatform = isMarked(IS_FOR_PLATFORM);
    const caller = isForPlatform ? request.platform : request.caller;
    if (caller !== undefined || isMarked(IS_PUBLIC)) return true;
    if (isForPlatform || !isGraphql(execution)) throw new AppError('not_authenticated');
    const admitted = this.callers.get(request) ?? this.admit(request);
    this.callers.set(request, admitted);
    request.caller = await admitted;
    return true;
  }

  private async admit(request: AuthenticatedRequest): Promise<Caller> {
    const caller = await this.auth.authenticate(request.headers.authorization, originOf(request));
    await this.limit.admit(caller.organisationId);
    return caller;
  }
}
