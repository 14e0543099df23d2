import { h, type VNode } from 'preact';
import { renderPage } from './render-page.js';

const { jest } = import.meta;

it('replaces a page of more than 4 MiB by one that says so (C5)', () => {
  const status = jest.fn().mockReturnThis();
  const reply = { status, headers: jest.fn().mockReturnThis(), type: jest.fn().mockReturnThis() };
  const [error, rendered] = [jest.fn(), jest.fn()];
  const Row = (): VNode => (rendered(), h('p', null, 'x'.repeat(65_536)));
  const render = (rows: number): string => {
    const page = { title: 'Rows', body: Array.from({ length: rows }, () => h(Row, null)) };
    const parts = [
      page,
      { raw: {}, headers: {}, log: { error } },
      reply,
      { PLATFORM_TIMEZONE: 'UTC', DOCS: 'off' },
    ];
    return renderPage(...(parts as unknown as Parameters<typeof renderPage>));
  };
  expect(render(10_000)).toContain('This page would be larger than 4 MiB');
  expect(rendered.mock.calls.length).toBeLessThanOrEqual(64);
  expect([status.mock.lastCall, error.mock.calls.length]).toEqual([[500], 1]);
  expect(render(60)).toContain('xxx');
});
