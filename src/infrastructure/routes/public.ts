import { applyDecorators, SetMetadata } from '@nestjs/common';
import { AddRouteConfig } from './route-config.js';

export const IS_PUBLIC = 'isPublic';

/** Makes a route or GraphQL operation available without a token; every other one needs one. */
export function Public(): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(IS_PUBLIC, true), AddRouteConfig({ [IS_PUBLIC]: true }));
}
