import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import { jsonbProblem, memberText, scanText } from './json-bytes.js';

/** Texts with many of the characters that the scan has to distinguish. */
const piece = fc.constantFrom(
  ...['"', '\\', '\\\\', '\\"', '\\u0000', '{', '}', '[', ']', ':', ',', ' ', '\n', '"account"', 'é', '😀'],
  ...['1', '.', '-', '12345', '1.5e1', '1e10', '1E-100', '1e+1', 'e', '1e1', '9'.repeat(15), '9'.repeat(16)],
);
const anyText = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 20 });

/** Any JSON value, with and without whitespace, with numbers longer than a double keeps. */
const { value: jsonText } = fc.letrec<{ value: string }>((tie) => {
  const string = anyText.map((parts) => JSON.stringify(parts.join('')));
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('null', 'true', '-1', '12345678901234567890.10', '1e-300'),
      string,
      fc.array(tie('value')).map((items) => `[ ${items.join(' ,')}]`),
      fc
        .array(fc.tuple(string, tie('value')))
        .map((members) => `{${members.map(([key, content]) => `${key} :\n${content}`).join(',')}}`),
    ),
  };
});

describe('scanText', () => {
  it('finds every long number, every escaped code unit and every bracket', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(scanText(text)).toEqual({
          hasLongNumber: /\d[\d.]{15}|\d[eE][-+]?\d{3}/.test(text),
          hasEscapedUnit: text.includes('\\u'),
          brackets: text.split(/[[{]/).length - 1,
        });
      }),
      { numRuns: runs(150) },
    );
  });

  it('scans a long text to its end, but not leftovers of a longer text scanned before', () => {
    expect(scanText(`["${'x'.repeat(1_000_000)}",1e100]`).hasLongNumber).toBe(true);
    expect(scanText('[1e10]').hasLongNumber).toBe(false);
    expect(scanText(`["${'é'.repeat(1_000_000)}"]`).hasLongNumber).toBe(false);
  });
});

describe('memberText', () => {
  /** An object in which some keys are the wanted one, written in several ways. */
  const objectText = (): fc.Arbitrary<{ text: string; members: [key: string, content: string][] }> => {
    const key = fc.oneof(
      fc.constantFrom('"a"', String.raw`"\u0061"`, '"b"', String.raw`"\"a"`, '"a:"', '""'),
      anyText.map((parts) => JSON.stringify(parts.join(''))),
    );
    const space = fc.constantFrom('', ' ', '\r\n\t ');
    const member = fc.tuple(key, space, space, jsonText, space, space);
    return fc.tuple(fc.array(member), space, space).map(([members, before, after]) => {
      const written = members.map(([name, one, two, content, three, four]) => {
        return `${four}${name}${one}:${two}${content}${three}`;
      });
      return {
        text: `${before}{${after}${written.join(',')}}${after}`,
        members: members.map(([name, , , content]) => [JSON.parse(name) as string, content]),
      };
    });
  };

  it('returns the text exactly as written, whatever is around it (S7)', () => {
    fc.assert(
      fc.property(objectText(), ({ text, members }) => {
        expect(() => JSON.parse(text) as unknown).not.toThrow();
        expect(memberText(text, 'a')).toBe(new Map(members).get('a'));
      }),
      { numRuns: runs(150) },
    );
  });

  it('finds only members of the object itself, not of nested objects (S7)', () => {
    expect(memberText('{"b":{"a":1},"c":["a",{"a":2}]}', 'a')).toBeUndefined();
    expect(memberText('{}', 'a')).toBeUndefined();
  });
});

/** A part of a JSON string with its escapes; surrogates occur alone, in pairs and separated. */
const part = fc.constantFrom(
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
      fc.property(fc.array(fc.array(part, { maxLength: 6 }), { minLength: 1, maxLength: 3 }), (strings) => {
        const text = `[${strings.map((pieces) => `"${pieces.join('')}"`).join()}]`;
        const isWhole = (JSON.parse(text) as string[]).every((string) => string.isWellFormed());
        expect(jsonbProblem(text)?.code).toBe(isWhole ? undefined : 'invalid');
      }),
      { numRuns: runs(500) },
    );
  });
});
