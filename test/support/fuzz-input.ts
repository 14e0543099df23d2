import fc from 'fast-check';
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

/** Payloads: an example of which some values are replaced by wrong ones, by others of it, or removed, or to which some are added. */
export function payloads(example: object): fc.Arbitrary<unknown> {
  const known = fc.constantFrom(...places(example).map(({ of, name }) => of[name]));
  const kind = fc.oneof(
    { weight: 3, arbitrary: known },
    { weight: 2, arbitrary: WRONG },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  const change = fc.record({ at: fc.nat(), value: kind, added: fc.option(STRANGE, { freq: 9 }) });
  return fc.array(change, { maxLength: 4 }).map((changes) => {
    const whole = { payload: structuredClone(example) as unknown };
    for (const { at, value, added } of changes) {
      const all = places(whole);
      const { of, name } = all[at % all.length]!;
      of[added ?? name] = structuredClone(value);
    }
    return whole.payload;
  });
}

type Members = Record<string, unknown>;

/** Every place of a value within another one. */
function places(value: object): { readonly of: Members; readonly name: string }[] {
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => [
    { of: value as Members, name },
    ...(typeof member === 'object' && member !== null ? places(member) : []),
  ]);
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
        Content-Type:
        Content-Encoding: gzip
        Expect: 100-continue
        Upgrade: h2c
        Host: a
        Host: [::1
        X-Request-Id: \x7f
        Authorization: Token ${token}
        Authorization: Bearer ${token}.x
        Authorization: ${token}
        Authorization: Token ${token} ${token}
        X-Forwarded-For: 1.2.3.4, x
        X-Forwarded-Host: a/b
        Accept-Encoding: gzip, br;q=2
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
  const known = words(
    '/v1/data-import/notes/create/ /v1/graphql/ /v1/data-import/all-account-import-processes/X/',
  );
  const path = fc.oneof(
    fc.constantFrom(...known),
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
