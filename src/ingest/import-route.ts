import { AddRouteConfig } from '../infrastructure/routes/route-config.js';
import type { ImportKind } from '../infrastructure/item-names/item-names.js';

/** The options of a route that imports something. */
export interface ImportRouteConfig {
  readonly importKind?: ImportKind;
}

/** Sets the kind that a route imports, so that its refused requests are recorded (refusals/refusal.ts). */
export function ImportRoute(importKind: ImportKind): MethodDecorator {
  const config: ImportRouteConfig = { importKind };
  return AddRouteConfig(config);
}
