import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { printResult } from './output.js';

async function* listOf(...items: readonly unknown[]): AsyncGenerator {
  for (const item of items) yield await Promise.resolve(item);
}

async function printed(json: unknown): Promise<string> {
  const stdout = new PassThrough();
  await printResult(stdout, { json, text: '' }, true);
  stdout.end();
  return text(stdout);
}

describe('the document of --json', () => {
  it.each([
    [listOf(), '[]\n'],
    [listOf({ a: 1 }), '[{"a":1}]\n'],
    [listOf({ a: 1 }, { a: 2 }), '[{"a":1},{"a":2}]\n'],
    [{ a: 1, list: listOf(), other: listOf('x', 'y') }, '{"a":1,"list":[],"other":["x","y"]}\n'],
    [[{ a: 1 }], '[{"a":1}]\n'],
    [null, 'null\n'],
  ])('is printed item by item where it is a list: %#, %j (section 6)', async (json, document) => {
    expect(await printed(json)).toBe(document);
  });

  it('is printed no faster than it is read (section 6)', async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        made += 1;
        yield await Promise.resolve('x'.repeat(1_000));
      }
    }
    const stdout = new PassThrough();
    const printing = printResult(stdout, { json: endless(), text: '' }, true);
    stdout.once('readable', () => {
      stdout.destroy();
    });
    await expect(printing).rejects.toThrow();
    expect(made).toBeLessThan(100);
  });
});
