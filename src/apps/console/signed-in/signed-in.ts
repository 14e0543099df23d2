import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { PageNotFound } from '../common/page-errors.js';

interface SignedInSession {
  readonly sessionId: string;
  /** Recorded with what is viewed and changed: an operator's name, or `api key ID`. */
  readonly recordedAs: string;
  /** Shown at the top of each page: an operator's name, or that of an admin's organisation. */
  readonly name: string;
  /** Whether a link on another site led to the page, so that the viewer may not have meant to see it (choice C1). */
  readonly isFromAnotherSite?: boolean;
  /** IANA name of the zone that was chosen for the times on the pages; none for that of the platform (choice C7). */
  readonly timeZone?: string | undefined;
  /** Whether the key / leads to the box that finds (choice C2). */
  readonly hasFindKey?: boolean;
}

/** Sees everything, and may change. */
export interface SignedInOperator extends SignedInSession {
  readonly kind: 'operator';
}

/** An admin of a supplier's organisation: sees what is granted to the organisation, and changes nothing. */
export interface SignedInAdmin extends SignedInSession {
  readonly kind: 'admin';
  readonly organisationId: string;
  readonly apiKeyId: string;
}

/**
 * Who looks at a page.
 *
 * Source: choices C1, C3.
 */
export type SignedIn = SignedInOperator | SignedInAdmin;

/** The organisation that all which the viewer sees belongs to; undefined for an operator. */
export function organisationOf(signedIn: SignedIn): string | undefined {
  return signedIn.kind === 'admin' ? signedIn.organisationId : undefined;
}

/** Whose share of a process the requests of a viewer count for: the organisation's, or that of all people of the platform (choice T18). */
export function holderOf(signedIn: SignedIn): string {
  return organisationOf(signedIn) ?? 'people of the platform';
}

/** Whose turn the pages of a viewer wait for: the organisation's, or the operator's own. */
export function turnOf(signedIn: SignedIn): string {
  return organisationOf(signedIn) ?? `operator ${signedIn.recordedAs}`;
}

/** Whose session it is was found before the body was read (apps/http/plugins/console.plugin.ts). */
export type ConsoleRequest = FastifyRequest & {
  signedIn?: SignedIn | undefined;
  /** Whether the session has not ended since. */
  isStillSignedIn?: () => Promise<boolean>;
};

/** Parameter decorator: who looks. */
export const CurrentUser = createParamDecorator((_data: unknown, execution: ExecutionContext): SignedIn =>
  signedInOf(execution),
);

/** Parameter decorator: the operator who looks; for an admin the page does not exist. */
export const CurrentOperator = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): SignedInOperator => {
    const signedIn = signedInOf(execution);
    if (signedIn.kind !== 'operator') throw new PageNotFound();
    return signedIn;
  },
);

/** Parameter decorator: who looks at a page without a session, if there is one all the same. */
export const UserIfAny = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): SignedIn | undefined =>
    execution.switchToHttp().getRequest<ConsoleRequest>().signedIn,
);

export function signedInOf(execution: ExecutionContext): SignedIn {
  const { signedIn } = execution.switchToHttp().getRequest<ConsoleRequest>();
  if (!signedIn) throw new Error('A page without a session has no viewer.');
  return signedIn;
}
