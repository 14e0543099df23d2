import { RouteConfig } from '@nestjs/platform-fastify';

const { KEY } = RouteConfig({});

/** Adds to the configuration of a handler's Fastify route. {@link RouteConfig} would replace what other decorators set. */
export function AddRouteConfig(added: object): MethodDecorator {
  return (target, method, descriptor) => {
    const present = Reflect.getMetadata(KEY, descriptor.value as object) as object | undefined;
    RouteConfig({ ...present, ...added })(target, method, descriptor);
  };
}
