import { AddRouteConfig } from './route-config.js';

export const IS_FOR_PLATFORM = 'isForPlatform';

/** Makes a route available with a token of the platform, and with no other; every other route is for suppliers (choice E5). */
export function ForPlatform(): MethodDecorator & ClassDecorator {
  return AddRouteConfig({ [IS_FOR_PLATFORM]: true });
}
