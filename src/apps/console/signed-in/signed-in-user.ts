import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

interface SignedInSession {
  readonly sessionId: string;
  /** Recorded with what is viewed and changed (recorded-as.ts). */
  readonly recordedAs: string;
  /** Shown at the top of each page: the name of an operator or a person, or that of a key's organisation. */
  readonly name: string;
  /** Whether the user signed in at the provider. */
  readonly isPerson?: boolean;
  /** Whether a link on another site led to the page, so that the user may not have meant to see it (choice C1). */
  readonly isFromAnotherSite?: boolean;
  /** IANA name of the browser's time zone; undefined for the platform's (choice C7). */
  readonly timeZone?: string | undefined;
}

/** Somebody of the platform: sees everything. An operator may make changes, a viewer changes nothing. */
export interface SignedInOperator extends SignedInSession {
  readonly kind: 'operator' | 'viewer';
}

/** An admin of a supplier's organisation: sees what is granted to the organisation, and changes nothing. */
export interface SignedInAdmin extends SignedInSession {
  readonly kind: 'admin';
  readonly organisationId: string;
}

/**
 * The signed-in user of a page.
 *
 * Source: choices C1, C3.
 */
export type SignedInUser = SignedInOperator | SignedInAdmin;

/** The organisation that limits what the signed-in user sees; undefined for the platform's people. */
export function organisationOf(user: SignedInUser): string | undefined {
  return user.kind === 'admin' ? user.organisationId : undefined;
}

/**
 * The holder whose share of the process the user's requests count for: the organisation, or all people of the platform
 * together (choice T18).
 */
export function holderOf(user: SignedInUser): string {
  return organisationOf(user) ?? 'people of the platform';
}

/** The key of the fair queue for the user's pages: the organisation, or the person of the platform. */
export function queueHolderOf(user: SignedInUser): string {
  return organisationOf(user) ?? `operator ${user.recordedAs}`;
}

/** The user is found before the body is read (apps/http/plugins/console.plugin.ts). */
export type ConsoleRequest = FastifyRequest & {
  user?: SignedInUser | undefined;
  /** Whether the session is still live. */
  isStillSignedIn?: () => Promise<boolean>;
};

/** Parameter decorator: the signed-in user. */
export const CurrentUser = createParamDecorator((_data: unknown, execution: ExecutionContext): SignedInUser =>
  userOf(execution),
);

/** Parameter decorator: the signed-in user of a page that needs no session; undefined without one. */
export const UserIfAny = createParamDecorator(
  (_data: unknown, execution: ExecutionContext): SignedInUser | undefined =>
    execution.switchToHttp().getRequest<ConsoleRequest>().user,
);

export function userOf(execution: ExecutionContext): SignedInUser {
  const { user } = execution.switchToHttp().getRequest<ConsoleRequest>();
  if (!user) throw new Error('A page without a session has no user.');
  return user;
}
