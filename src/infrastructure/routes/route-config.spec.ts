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
  it('keeps what other decorators have set, where Nest looks for it, and what is set of the class', () => {
    const handler = Object.getOwnPropertyDescriptor(Controller.prototype, 'both')?.value as object;
    expect(Reflect.getMetadata(RouteConfig({}).KEY, handler)).toEqual({ one: 1, two: 2, three: 3 });
  });
});
