import fc from 'fast-check';
import type { OpenApi } from './open-api.js';

type Schema = Record<string, unknown> & {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  format?: string;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
};

/** Split texts without spaces. */
function words(list: string): string[] {
  return list.split(' ');
}

/** Split texts with spaces, one on each line. */
function lines(list: string): string[] {
  return list.trim().split(/\n */);
}

/** Texts that often break programs. */
const STRANGE = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      '\ud800',
      '\u202e',
      '\ufeff',
      '"',
      '\\',
      '${x}',
      "'; DROP TABLE note; --",
      '\r\nX-A: 1',
    ],
    ...words('é ﬀ 👩‍👩‍👧‍👧 .. ../x /x a//b %00 %ff __proto__ constructor null NaN 1e999 {{7*7}} ٣ İ'),
    ...words('ok_1 missing_1 rejected_1 down_1 SANDBOX STRIPE 2026-02-30 0000-00-00 2026-01-01T00:00:60Z'),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);

/** Edge-case numbers in their written form, which JSON.stringify would change. */
const NUMBERS = [
  ...['0', '-0', '1e2', '1e400', '-1e-400', '1E+308', '0.1', '12345678901234567890', '0.000000000000000001'],
  ...['999999999999.99', '1000000000000', '10.505', '1.7976931348623157e309', '9007199254740993'],
];
/** Marks a string whose text goes into the document unquoted. */
const VERBATIM = 'verbatim:';

const WRONG = fc.oneof(
  STRANGE,
  fc.constantFrom(...NUMBERS).map((text) => VERBATIM + text),
  fc.constantFrom(null, true, [], {}, [[[[]]]]),
  fc.double(),
  fc.integer(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Payloads of an operation: valid, or wrong in a few places. @param example whose values are reused */
export function payloads(document: OpenApi, schema: object, example: unknown): fc.Arbitrary<unknown> {
  const known = valuesByName(example);
  const of = (given: Schema, depth: number): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 60, arbitrary: valid(resolve(given), depth) }, { weight: 1, arbitrary: WRONG });
  const resolve = ({ $ref, allOf, ...rest }: Schema): Schema => {
    if ($ref !== undefined) return document.components.schemas[$ref.split('/').at(-1)!] as Schema;
    return allOf?.[0] ? { ...resolve(allOf[0]), ...rest } : rest;
  };
  const valid = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    const choices = schema.oneOf ?? schema.anyOf;
    if (choices) return fc.oneof(...choices.map((one) => of(one, depth)));
    if (schema.enum) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'object':
        return objects(schema, depth);
      case 'array':
        return schema.items ? fc.array(of(schema.items, depth + 1), { minLength: 1, maxLength: 3 }) : WRONG;
      case 'integer':
      case 'number':
        return fc.integer({ min: -100_000, max: 100_000 }).map((cents) => cents / 100);
      case 'boolean':
        return fc.boolean();
      case 'string':
        return strings(schema);
      case undefined:
      default:
        return WRONG;
    }
  };
  const objects = ({ properties = {}, required = [] }: Schema, depth: number): fc.Arbitrary<unknown> => {
    const entries = Object.entries(properties).map(([name, property]) => {
      const examples = known.get(name) ?? [];
      const any = of(property, depth + 1);
      const value =
        examples.length > 0 && !name.endsWith('_id')
          ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...examples) }, { weight: 1, arbitrary: any })
          : any;
      const keptWeight = required.includes(name) ? 60 : 2;
      return fc
        .oneof({ weight: keptWeight, arbitrary: value }, { weight: 1, arbitrary: fc.constant(undefined) })
        .map((made) => [name, made] as const);
    });
    const further = fc.oneof(
      { weight: 60, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.tuple(STRANGE, WRONG) },
    );
    return fc
      .tuple(fc.tuple(...entries), further)
      .map(([own, more]) =>
        Object.fromEntries([...own, ...(more ? [more] : [])].filter(([, value]) => value !== undefined)),
      );
  };
  return of(schema as Schema, 0);
}

/** The scalar values of an example, by field name. */
function valuesByName(example: unknown, found = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (typeof example !== 'object' || example === null) return found;
  for (const [name, value] of Object.entries(example)) {
    if (typeof value === 'object') valuesByName(value, found);
    else found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

function strings({ format }: Schema): fc.Arbitrary<unknown> {
  const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-02-${String(n).padStart(2, '0')}`);
  if (format === 'date') return day;
  if (format === 'date-time') return day.map((one) => `${one}T01:02:03Z`);
  return fc.oneof(
    { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 20 }) },
    { weight: 3, arbitrary: fc.constantFrom('CHARGE', 'PAYMENT', 'IMPORTED_CHARGE', 'ok_1', 'a/b.pdf') },
    { weight: 1, arbitrary: STRANGE },
  );
}

/** The JSON text of a payload, sometimes damaged: truncated, with duplicate names, or nested too deeply. */
export function bodies(payload: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const text = payload.map((value) =>
    JSON.stringify(value ?? null).replaceAll(new RegExp(`"${VERBATIM}([^"]*)"`, 'g'), '$1'),
  );
  const damaged = fc.tuple(text, fc.nat(), STRANGE, fc.nat({ max: 5 })).map(([json, at, strange, how]) => {
    const index = at % (json.length + 1);
    const [before, after] = [json.slice(0, index), json.slice(index)];
    switch (how) {
      case 0:
        return before;
      case 1:
        return before + strange + after;
      case 2:
        return json.replace(/"(\w+)":/, '"$1":1,"$1":');
      case 3:
        return json.replace('{', '{"__proto__":{"isAdmin":true},');
      case 4:
        return json.replace(/:/, `:${'['.repeat(1 + (at % 20_000))}`);
      default:
        return `${'{"a":'.repeat(1 + (at % 5_000))}1`;
    }
  });
  return fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: damaged });
}

/** GraphQL documents: the schema's own words in any order, and deep, wide and circular documents. */
export function documents(): fc.Arbitrary<string> {
  const tokens = fc.constantFrom(
    ...words(
      'query mutation subscription fragment F on Query Viewer ... ...F viewer organisation importSuppliers',
    ),
    ...words(
      'id name __typename __schema types a: b: obtainServiceToken forceReauthentication { } ( ) $x " """ #',
    ),
    ...['@skip(if: true)', '(input: {apiKey: "x"})', '$x: Int'],
  );
  const { selection } = fc.letrec<{ selection: string }>((tie) => ({
    selection: fc
      .array(
        fc.oneof(
          { depthSize: 'small' },
          fc.constantFrom(
            ...[
              '__typename',
              'viewer { organisation { id } }',
              '...F',
              'a: __typename',
              '__schema { types { name } }',
            ],
          ),
          fc
            .tuple(
              fc.constantFrom(...words('viewer organisation __schema types fields ofType'), '... on Query'),
              tie('selection'),
            )
            .map(([name, inner]) => `${name} ${inner}`),
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((fields) => `{ ${fields.join(' ')} }`),
  }));
  return fc.oneof(
    fc.array(tokens, { maxLength: 60 }).map((all) => all.join(' ')),
    selection,
    selection.map((set) => `query A ${set} fragment F on Query ${set}`),
    fc.integer({ min: 1, max: 4_000 }).map((n) => '{ viewer '.repeat(n) + '}'.repeat(n)),
    fc
      .integer({ min: 1, max: 600 })
      .map((n) => `{ ${Array.from({ length: n }, (_, i) => `a${i}: __typename`).join(' ')} }`),
    fc
      .integer({ min: 1, max: 40 })
      .map((n) =>
        [
          ...Array.from(
            { length: n },
            (_, i) => `fragment F${i} on Query { ...F${(i + 1) % n} ...F${(i + 2) % n} }`,
          ),
          '{ ...F0 }',
        ].join(' '),
      ),
    STRANGE,
  );
}

/** Raw HTTP requests made of parts that proxies and servers have interpreted differently. */
export function rawRequests(token: string): fc.Arbitrary<string> {
  const header = fc.oneof(
    fc.constantFrom(
      ...words('5 0 -1 5,5 99999999999999999999').map((length) => `Content-Length: ${length}`),
      ...lines(`Transfer-Encoding: chunked
        Transfer-Encoding: chunked, identity
        Transfer-Encoding:\tchunked
        Transfer-Encoding : chunked
        Content-Type: application/json
        Content-Type: application/json; charset=utf-16
        Content-Type: a
        Content-Type:
        Content-Encoding: gzip
        Expect: 100-continue
        Expect: x
        Upgrade: h2c
        Connection: upgrade
        TE: trailers
        Host: a
        Host:
        Host: [::1
        X-Request-Id: \x7f
        Authorization: Token ${token}
        Authorization: Bearer ${token}.x
        Authorization: ${token}
        Authorization: Token
        Authorization:
        Authorization: Token ${token} ${token}
        X-Forwarded-For: 1.2.3.4, x
        X-Forwarded-Host: a/b
        Accept-Encoding: gzip, br;q=2
        Accept: */*
        Range: bytes=0-
        No-Colon`),
      ' folded',
    ),
    fc
      .tuple(fc.constantFrom('Authorization', 'Content-Type', 'X-Request-Id', 'Accept', 'Cookie'), STRANGE)
      .map(([name, value]) => `${name}: ${value}`),
  );
  const segment = fc.oneof(
    fc.constantFrom(
      ...words(
        'v1 data-import notes create account-transfer-status all-account-import-processes graphql . ..',
      ),
      '',
    ),
    STRANGE.map((text) => encodeURIComponent(text.isWellFormed() ? text : 'x')),
    fc.constantFrom('%', '%2', '%ff', '%2f', '%00', '*', ':import_supplier', 'x'.repeat(2_000)),
  );
  const query = fc.constantFrom(
    ...words(
      '? ?limit=0 ?limit=1e9 ?after=%ff ?dry_run ?dry_run=a&dry_run=b ?__proto__=1 ?a[b]=c ?query={__typename}',
    ),
    '',
  );
  const known = fc.constantFrom(
    '/v1/data-import/notes/create/',
    '/v1/graphql/',
    '/v1/data-import/all-account-import-processes/X/',
  );
  const path = fc.oneof(
    known,
    fc.array(segment, { maxLength: 7 }).map((all) => `/${all.join('/')}`),
    fc.constantFrom('*', 'http://a/b', ''),
  );
  const method = fc.constantFrom(...words('GET POST POST PUT HEAD OPTIONS DELETE TRACE CONNECT PRI get'), '');
  const body = fc.oneof(
    fc.constantFrom('', '{}', '5\r\n{"a":\r\n0\r\n\r\n', '0\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n', '[1,2]'),
    STRANGE,
  );
  return fc
    .tuple(
      method,
      path,
      query,
      fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', ''),
      fc.array(header, { maxLength: 8 }),
      body,
    )
    .map(([verb, address, search, version, headers, content]) =>
      [
        `${verb} ${address}${search} ${version}`,
        'Host: localhost',
        ...headers,
        'Connection: close',
        '',
        content,
      ].join('\r\n'),
    );
}

/** Input files of `accounts stage` and `accounts set-periods`. */
export function files(): fc.Arbitrary<{ format: 'ndjson' | 'csv'; text: string }> {
  const number = fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(/^[A-Z0-9]{1,8}$/) },
    { weight: 1, arbitrary: STRANGE },
  );
  const day = fc.oneof(fc.constantFrom('2026-01-01', '2026-02-28', '2026-02-30', '9999-12-31', ''), STRANGE);
  const record = fc.record(
    {
      external_account_number: number,
      open_statement_from: day,
      open_statement_to: day,
      account: fc.jsonValue(),
      x: WRONG,
    },
    { requiredKeys: ['external_account_number'] },
  );
  const line = fc.oneof(
    { weight: 6, arbitrary: record.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: bodies(record) },
    { weight: 1, arbitrary: STRANGE },
  );
  const cell = fc.oneof(number, day, fc.constantFrom('"', '""', '"a\nb"', '"a,b"', ' "x" '));
  const row = fc.array(cell, { maxLength: 5 }).map((cells) => cells.join(','));
  const head = fc.constantFrom(
    'external_account_number,open_statement_from,open_statement_to',
    'external_account_number',
    'external_account_number,external_account_number',
    'a,b',
    '',
    '\ufeffexternal_account_number,name',
  );
  const end = fc.constantFrom('\n', '\r\n', '\r');
  return fc.oneof(
    fc
      .tuple(fc.array(line, { maxLength: 20 }), end)
      .map(([lines, eol]) => ({ format: 'ndjson' as const, text: lines.join(eol) })),
    fc
      .tuple(head, fc.array(row, { maxLength: 20 }), end)
      .map(([first, rows, eol]) => ({ format: 'csv' as const, text: [first, ...rows].join(eol) })),
  );
}
