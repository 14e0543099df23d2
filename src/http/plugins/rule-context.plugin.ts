import type { FastifyInstance } from 'fastify';
import type { CataloguesService, CatalogueSnapshot } from '../../catalogues/catalogues.service.js';
import type { RuleContext } from '../../common/validation/rules.js';
import type { Environment } from '../../config/settings.js';

/** Provides what the rules of a payload need at run time: the limits and the present catalogues. */
export function ruleContextPlugin(
  instance: FastifyInstance,
  environment: Environment,
  catalogues: CataloguesService,
): void {
  let latest: { snapshot: CatalogueSnapshot; context: RuleContext } | undefined;
  const contextOf = (snapshot: CatalogueSnapshot): RuleContext => {
    if (latest?.snapshot !== snapshot) {
      const catalogue = (field: string): ReadonlySet<string> => snapshot.get(field) ?? new Set();
      latest = { snapshot, context: { itemsMax: environment.ITEMS_MAX, catalogue } };
    }
    return latest.context;
  };
  instance.decorateRequest('ruleContext');
  instance.addHook('preHandler', (request, _reply, done) => {
    const snapshot = catalogues.current();
    if (snapshot instanceof Promise) {
      snapshot.then((fresh) => {
        request.ruleContext = contextOf(fresh);
        done();
      }, done);
      return;
    }
    request.ruleContext = contextOf(snapshot);
    done();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the rules of a payload may need to know (common/validation/rules.ts). */
    ruleContext: RuleContext;
  }
}
