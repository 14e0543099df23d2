import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PageNotFound, SignInRequired } from '../common/page-errors.js';
import { For, OPERATORS, SessionGuard, VISITORS } from './session.guard.js';

const operator = { kind: 'operator' };

/** Whether the guard lets a request to a handler through. */
function passes(handler: () => void, user?: object): boolean {
  const request = { method: 'GET', user };
  const execution = { getHandler: () => handler, switchToHttp: () => ({ getRequest: () => request }) };
  return new SessionGuard(new Reflector()).canActivate(execution as unknown as ExecutionContext);
}

const handlerFor = (...roles: Parameters<typeof For>): (() => void) => {
  const handler = (): void => undefined;
  For(...roles)(handler, '', { value: handler });
  return handler;
};

it('a route that declares no roles is closed to everybody (C1)', () => {
  const undeclared = (): void => undefined;
  expect(() => passes(undeclared)).toThrow(SignInRequired);
  expect(() => passes(undeclared, operator)).toThrow(PageNotFound);
});

it('a route is open to the roles that it declares (C1, C3)', () => {
  expect(passes(handlerFor(VISITORS))).toBe(true);
  expect(passes(handlerFor(OPERATORS), operator)).toBe(true);
  expect(() => passes(handlerFor(OPERATORS), { kind: 'viewer' })).toThrow(PageNotFound);
});
