import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../infrastructure/errors/errors.js';
import { IS_FOR_PLATFORM } from '../infrastructure/routes/for-platform.js';
import { IS_PUBLIC } from '../infrastructure/routes/public.js';
import { originOf } from '../infrastructure/log/request-origin.js';
import { AuthService } from './auth.service.js';
import { isGraphql, requestOf, type AuthenticatedRequest, type Caller } from './caller.js';
import { RequestLimitService } from './request-limit.service.js';

/**
 * Refuses unauthenticated callers on every route and GraphQL operation that is not public. The caller of a REST route is
 * authenticated earlier, before the body is read (apps/http/plugins/authentication.plugin.ts). The caller of a GraphQL
 * operation is authenticated here, because the operation is not known any earlier. A request is authenticated and counted
 * once, however many fields it selects.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  /** Holds promises, because the fields of an operation are resolved concurrently. */
  private readonly callers = new WeakMap<AuthenticatedRequest, Promise<Caller>>();

  constructor(
    private readonly reflector: Reflector,
    private readonly auth: AuthService,
    private readonly limit: RequestLimitService,
  ) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const request = requestOf(execution);
    if (isGraphql(execution)) return this.isPublic(execution) || this.admitOperation(request);
    const { config } = request.routeOptions;
    const caller = IS_FOR_PLATFORM in config ? request.platform : request.caller;
    if (caller !== undefined || IS_PUBLIC in config) return true;
    throw new AppError('not_authenticated');
  }

  private isPublic(execution: ExecutionContext): boolean {
    const places = [execution.getHandler(), execution.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, places) === true;
  }

  private async admitOperation(request: AuthenticatedRequest): Promise<true> {
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
