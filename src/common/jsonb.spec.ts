import fc from 'fast-check';
import { jsonbProblem } from './jsonb.js';

/** A part of a JSON string with its escapes; surrogates occur alone, in pairs and separated. */
const piece = fc.constantFrom(
  ...[
    String.raw`\ud83d`,
    String.raw`\ude00`,
    String.raw`\u0041`,
    String.raw`\n`,
    String.raw`\\`,
    String.raw`\"`,
  ],
  ...['a', '1e999999', '[', '😀', ' '],
);

describe('jsonbProblem', () => {
  it('finds every lone surrogate, whatever is next to it', () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 6 }), { minLength: 1, maxLength: 3 }), (strings) => {
        const text = `[${strings.map((pieces) => `"${pieces.join('')}"`).join()}]`;
        const isWhole = (JSON.parse(text) as string[]).every((string) => string.isWellFormed());
        expect(jsonbProblem(text)?.code).toBe(isWhole ? undefined : 'invalid');
      }),
      { numRuns: 500 },
    );
  });
});
