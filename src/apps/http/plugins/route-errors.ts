import type { ExceptionFilter } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import type { AppError } from '../../../infrastructure/errors/errors.js';

/** Of the configuration of a route, or of a request for an address without a route: what answers its errors instead. */
export interface OwnErrors {
  errorFilter?: ExceptionFilter;
}

/** Of the configuration of a route: what hears of its errors, when they are answered. */
export interface HeardErrors {
  readonly hearError?: (error: AppError, request: AuthenticatedRequest) => void;
}
