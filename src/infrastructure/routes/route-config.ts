import 'reflect-metadata';
import { RouteConfig } from '@nestjs/platform-fastify';

const { KEY } = RouteConfig({});

/**
 * Adds to the configuration of a Fastify route, which plugins read before the handler is reached. `RouteConfig` itself replaces
 * what another decorator of the same handler has set, and Nest does not read it from a class. On a class, this decorator applies
 * to each method.
 */
export function AddRouteConfig(config: object): MethodDecorator & ClassDecorator {
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    for (const handler of descriptor
      ? [descriptor.value as object]
      : methodsOf(target as { prototype: object })) {
      const before = Reflect.getOwnMetadata(KEY, handler) as object | undefined;
      Reflect.defineMetadata(KEY, { ...before, ...config }, handler);
    }
  };
}

function methodsOf({ prototype }: { prototype: object }): object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype))
    .map(({ value }) => value as unknown)
    .filter((value) => typeof value === 'function');
}
