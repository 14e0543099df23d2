import { AddRouteConfig } from '../common/route-config.js';

/** What an import request imports; one endpoint each. */
export const IMPORT_KINDS = ['notes', 'transactions', 'statements', 'payment_instruction'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** The options of a route that imports something. */
export interface ImportRouteConfig {
  readonly importKind?: ImportKind;
}

/** Names what a route imports, so that its refused requests are recorded (refusals/refusal.ts). */
export function ImportRoute(importKind: ImportKind): MethodDecorator {
  const config: ImportRouteConfig = { importKind };
  return AddRouteConfig(config);
}
