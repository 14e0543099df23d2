import { readFile } from 'node:fs/promises';
import { describeContract } from '../../src/contract.js';

it('the committed contract is what the service serves (else: npm run contract)', async () => {
  for (const { name, text } of await describeContract()) {
    expect(await readFile(`contract/${name}`, 'utf8')).toBe(text);
  }
});

it('names every route with its trailing slash, its errors and its token (T1, T2)', async () => {
  const openApi = (await describeContract()).find(({ name }) => name === 'openapi.json')!;
  const { paths, security } = JSON.parse(openApi.text) as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { headers: object; description: string }> }>
    >;
    security: unknown;
  };
  expect(Object.keys(paths)).toContain('/v1/data-import/notes/create/');
  expect(security).toEqual([{ Token: [] }]);
  for (const [path, operations] of Object.entries(paths)) {
    expect(path).toMatch(/^\/v1\/data-import\/.*\/$/);
    for (const [method, { responses }] of Object.entries(operations)) {
      const errors = [400, 401, 404, 429, 500, 503, ...(method === 'post' ? [413, 415] : [])];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(errors.map(String)));
      for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty('X-Request-Id');
      expect(responses['503']!.headers).toHaveProperty('Retry-After');
      expect('Link' in (responses['200']?.headers ?? {})).toBe(path.includes('-processes/'));
      expect('X-Dry-Run' in (responses['201']?.headers ?? {})).toBe(method === 'post');
      expect(responses['400']!.description.includes('transaction_import_error')).toBe(
        path.includes('/transactions/'),
      );
      expect(responses['404']!.description).toBe(
        path.includes('-processes/') ? 'not_found' : 'account_not_found',
      );
    }
  }
});
