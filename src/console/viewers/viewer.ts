import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

interface ViewerOfSession {
  readonly sessionId: string;
  /** Recorded with what is viewed and changed: an operator's name, or `api key ID`. */
  readonly recordedAs: string;
  /** Shown at the top of each page. */
  readonly name: string;
}

/** Sees everything, and may change. */
export interface OperatorViewer extends ViewerOfSession {
  readonly kind: 'operator';
}

/** An admin of a supplier's organisation: sees what is granted to the organisation, and changes nothing. */
export interface AdminViewer extends ViewerOfSession {
  readonly kind: 'admin';
  readonly organisationId: string;
  readonly apiKeyId: string;
}

/**
 * Who looks at a page.
 *
 * Source: choices C1, C3.
 */
export type Viewer = OperatorViewer | AdminViewer;

export type ConsoleRequest = FastifyRequest & { viewer?: Viewer };

/** Parameter decorator: who looks. */
export const CurrentViewer = createParamDecorator((_data: unknown, execution: ExecutionContext): Viewer => {
  const { viewer } = execution.switchToHttp().getRequest<ConsoleRequest>();
  if (!viewer) throw new Error('A page without a session has no viewer.');
  return viewer;
});
