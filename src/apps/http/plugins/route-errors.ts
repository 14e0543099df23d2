import type { ExceptionFilter } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import type { AppError } from '../../../infrastructure/errors/errors.js';

/** Part of a route's configuration, or of a request without a route: the filter that answers its errors instead of ErrorFilter. */
export interface OwnErrors {
  errorFilter?: ExceptionFilter;
}

/** Part of a route's configuration: a listener that is called when an error is answered. */
export interface HeardErrors {
  readonly hearError?: (error: AppError, request: AuthenticatedRequest) => void;
}
