import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../common/errors.js';
import { IS_PUBLIC, type AuthenticatedRequest } from './caller.js';

/**
 * Closes every route that is not marked public. Who is calling was found out before the body was read (create-app.ts);
 * here a route that nobody was found for stays shut.
 */
@Injectable()
export class CallerGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    // GraphQL fields have a guard of their own: some of them are for callers without a token.
    if (execution.getType<string>() !== 'http') return true;
    const marks = [execution.getHandler(), execution.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, marks)) return true;
    if (execution.switchToHttp().getRequest<AuthenticatedRequest>().caller === undefined) {
      throw new AppError('not_authenticated');
    }
    return true;
  }
}
