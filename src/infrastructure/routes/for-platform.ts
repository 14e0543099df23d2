import { AddRouteConfig } from './route-config.js';

export const IS_FOR_PLATFORM = 'isForPlatform';

/** Opens a route to platform tokens only. All other routes are for suppliers (choice E5). */
export function ForPlatform(): MethodDecorator & ClassDecorator {
  return AddRouteConfig({ [IS_FOR_PLATFORM]: true });
}
