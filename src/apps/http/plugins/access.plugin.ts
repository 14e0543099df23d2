import { Logger } from '@nestjs/common';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AuthService } from '../../../auth/auth.service.js';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import { BackgroundJob } from '../../../infrastructure/jobs/background-job.js';
import { TimedCache } from '../../../infrastructure/limits/timed-cache.js';
import { organisationOf, type ConsoleRequest } from '../../console/signed-in/signed-in-user.js';
import type { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';

/** How often each open answer is checked. A key's cached status is up to two seconds old, and choice A7 allows five. */
const INTERVAL_MS = 1_000;

type Request = AuthenticatedRequest & ConsoleRequest;

/**
 * Closes the connection of a GET whose caller may no longer read: a list, a stream, a file, or a wait for the next change. It checks
 * all open answers, including those that their clients do not read, so that no route can forget the check.
 *
 * Source: choice T20.
 *
 * @param open the unfinished answers of known callers
 */
export function accessPlugin(
  instance: FastifyInstance,
  open: ReadonlySet<FastifyReply>,
  auth: AuthService,
  suppliers: ImportSuppliersService,
): void {
  /** Many answers for one session or supplier share one query. */
  const recent = new TimedCache<boolean>(INTERVAL_MS / 2);
  const lookUp = (name: string, find: () => Promise<boolean>): Promise<boolean> =>
    recent.get(name) ?? recent.set(name, find());
  const isAllowed = async ({ request, raw }: FastifyReply): Promise<boolean> => {
    const { caller, platform = caller, user, isStillSignedIn, params } = request as Request;
    if (platform && 'problem' in (await auth.judge(platform.claims))) return false;
    if (user && isStillSignedIn && !(await lookUp(user.sessionId, isStillSignedIn))) return false;
    const organisationId = caller?.organisationId ?? (user && organisationOf(user));
    const { import_supplier, code = import_supplier } = params as Record<string, string | undefined>;
    // Until the answer begins, the handler itself checks the supplier.
    if (organisationId === undefined || code === undefined || !raw.headersSent) return true;
    return lookUp(`${organisationId} ${code}`, () => suppliers.isGranted(organisationId, code));
  };
  const job = new BackgroundJob({
    intervalMs: INTERVAL_MS,
    run: async () => {
      await Promise.all(
        [...open].map(async (reply) => {
          const isReading = reply.request.method === 'GET';
          if (isReading && !(await isAllowed(reply))) reply.raw.destroy();
        }),
      );
    },
    // While the database does not answer, nothing more can be read from it either.
    onFailure: (err) => {
      new Logger('access').warn({ msg: 'could not look who may still read', err });
    },
  });
  job.start();
  instance.addHook('onClose', () => job.stop());
}
