import { applyDecorators, SetMetadata } from '@nestjs/common';
import { AddRouteConfig } from './route-config.js';

export const IS_PUBLIC = 'isPublic';

/** Opens a route or GraphQL operation to requests without a token. All others need one. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), AddRouteConfig({ [IS_PUBLIC]: true }));
}
