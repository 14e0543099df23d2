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
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
    security: unknown;
  };
  expect(Object.keys(paths)).toContain('/v1/data-import/notes/create/');
  expect(security).toEqual([{ Token: [] }]);
  for (const [path, operations] of Object.entries(paths)) {
    expect(path).toMatch(/^\/v1\/data-import\/.*\/$/);
    for (const [method, { responses }] of Object.entries(operations)) {
      const errors = [400, 401, 404, 429, 500, 503, ...(method === 'post' ? [413, 415] : [])];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(errors.map(String)));
    }
  }
});
