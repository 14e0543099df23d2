import 'reflect-metadata';
import { RouteConfig } from '@nestjs/platform-fastify';

const { KEY } = RouteConfig({});

/**
 * Adds to the configuration of a Fastify route, which plugins read before a handler is reached. `RouteConfig` itself replaces
 * what another decorator of the same handler has set.
 */
export function AddRouteConfig(config: object): MethodDecorator & ClassDecorator {
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const handler = (descriptor?.value ?? target) as object;
    const before = Reflect.getOwnMetadata(KEY, handler) as object | undefined;
    Reflect.defineMetadata(KEY, { ...before, ...config }, handler);
  };
}
