import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { ConsoleRequest } from './viewer.js';

/** The page needs a session. */
export class SignInRequired extends Error {
  /** @param returnTo address of the page that was wanted */
  constructor(readonly returnTo: string) {
    super();
  }
}

/** Refuses every page of the console to whoever has no session. */
@Injectable()
export class SessionGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<ConsoleRequest>();
    if (!request.viewer) throw new SignInRequired(request.url);
    return true;
  }
}
