import type { FastifyInstance } from 'fastify';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import type { ImportRouteConfig } from '../../imports/import-route.js';
import type { ImportAdmissionService } from '../../imports/import-admission.service.js';

/** A request with what ends its import; a WeakMap costs every request more. */
type AdmittedRequest = AuthenticatedRequest & { endOfImport?: () => void };

/**
 * Refuses an import beyond those that its organisation may have at a time, before its body is read.
 *
 * An import counts until its answer is ready. A client that disconnects ends it only before its body is complete: after
 * that the service goes on with it, so it counts on, and a client that disconnects and returns gains nothing.
 */
export function importAdmissionPlugin(instance: FastifyInstance, admission: ImportAdmissionService): void {
  instance.addHook('onRequest', (request: AdmittedRequest, _reply, done) => {
    const { caller, headers, raw, routeOptions } = request;
    const { importKind } = routeOptions.config as ImportRouteConfig;
    // Of a request whose client has left the body never arrives.
    if (importKind === undefined || caller === undefined || raw.destroyed) {
      done();
      return;
    }
    try {
      const end = admission.admit(caller, Number(headers['content-length']));
      request.endOfImport = end;
      raw.once('close', () => {
        if (!raw.readableEnded) end();
      });
      done();
    } catch (error) {
      done(error as Error);
    }
  });
  instance.addHook('onSend', (request: AdmittedRequest, _reply, _payload, done) => {
    request.endOfImport?.();
    done();
  });
}
