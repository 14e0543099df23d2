import fc from 'fast-check';
import { LINE_BYTES_MAX, readLines, type FileLine } from './file-lines.js';

async function linesOf(...chunks: (Buffer | string)[]): Promise<FileLine[]> {
  const lines: FileLine[] = [];
  const source = (async function* () {
    for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk));
  })();
  for await (const block of readLines(source)) lines.push(...block);
  return lines;
}

const shown = (lines: FileLine[]): (number | string)[][] =>
  lines.map((line) => [line.line, 'text' in line ? line.text : line.problem.code]);

describe('readLines', () => {
  it('splits a file into the same lines wherever its chunks end (S7)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'é', '€', '😀') }),
        fc.array(fc.nat({ max: 40 })),
        async (content, cuts) => {
          const bytes = Buffer.from(content);
          const edges = [...new Set(cuts)].sort((a, b) => a - b);
          const chunks = [0, ...edges].map((from, index) => bytes.subarray(from, edges[index]));
          const expected = content.endsWith('\n') ? content.slice(0, -1).split('\n') : content.split('\n');
          const lines = await linesOf(...chunks);
          expect(shown(lines)).toEqual(
            content === '' ? [] : expected.map((line, index) => [index + 1, line]),
          );
        },
      ),
    );
  });

  it('skips a byte order mark only at the beginning (S7)', async () => {
    expect(shown(await linesOf('\uFEFFa\n\uFEFFb'))).toEqual([
      [1, 'a'],
      [2, '\uFEFFb'],
    ]);
  });

  it('reports a line that is not UTF-8 and reads the others (S7)', async () => {
    expect(shown(await linesOf('a\n', Buffer.from([0xff, 0x0a]), 'c\n'))).toEqual([
      [1, 'a'],
      [2, 'parse_error'],
      [3, 'c'],
    ]);
  });

  it.each([
    [LINE_BYTES_MAX, 1],
    [LINE_BYTES_MAX, 65_536],
  ])(
    'reads a line of %i bytes and rejects a longer one, in %i times as many chunks (S7)',
    async (max, parts) => {
      const cut = (content: Buffer): Buffer[] => {
        const size = Math.ceil(content.length / Math.min(parts, 64));
        return Array.from({ length: Math.ceil(content.length / size) }, (_, index) =>
          content.subarray(index * size, (index + 1) * size),
        );
      };
      const content = Buffer.from(
        `a\n${'b'.repeat(max)}\nc\n${'d'.repeat(max + 1)}\ne\n${'f'.repeat(max + 1)}`,
      );
      const lines = await linesOf(...cut(content));
      expect(lines.map((line) => ('text' in line ? line.text.length : line.problem.code))).toEqual([
        ...[1, max, 1, 'max_length', 1, 'max_length'],
      ]);
      expect(lines.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
    },
  );
});
