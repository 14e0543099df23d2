// The routes of the console with the roles that they declare, for a table of the documentation and for the tests.
import { Reflector } from '@nestjs/core';

const reflector = new Reflector();

/** @param source ConsoleModule and For of src @returns address, method and roles of each handler of its controllers */
export function consoleRoutes({ ConsoleModule, For }) {
  return reflector.get('controllers', ConsoleModule).flatMap((controller) =>
    Object.values(Object.getOwnPropertyDescriptors(controller.prototype))
      .map(({ value: handler }) => handler)
      .filter((handler) => handler !== controller && reflector.get('path', handler) !== undefined)
      .map((handler) => ({
        address: `/${[controller, handler].map((of) => reflector.get('path', of)).join('/')}`
          .replaceAll(/\/+/g, '/')
          .replace(/(?<!^\/console)\/$/, ''),
        // Nest numbers the methods; GET is 0.
        isForm: reflector.get('method', handler) !== 0,
        roles: reflector.get(For, handler) ?? [],
      })),
  );
}
