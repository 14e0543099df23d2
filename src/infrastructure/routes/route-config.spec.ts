import { RouteConfig } from '@nestjs/platform-fastify';
import { AddRouteConfig } from './route-config.js';

@AddRouteConfig({ three: 3 })
class Controller {
  @AddRouteConfig({ one: 1 })
  @AddRouteConfig({ two: 2 })
  both(): void {
    // Only its decorators matter.
  }
}

describe('AddRouteConfig', () => {
  it('keeps the values of other decorators where Nest reads them, and those of the class', () => {
    const handler = Object.getOwnPropertyDescriptor(Controller.prototype, 'both')?.value as object;
    expect(Reflect.getMetadata(RouteConfig({}).KEY, handler)).toEqual({ one: 1, two: 2, three: 3 });
  });
});
