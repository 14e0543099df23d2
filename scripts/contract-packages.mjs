// Generates the *.generated.ts files of packages/ from openapi.json and platform.json.

const BASE = '/v1/data-import/';
const HEAD = '// Generated from contract/openapi.json by npm run contract.\n';
const HEAD_OF_PLATFORM = '// Generated from contract/platform.json by npm run contract.\n';

/** @param openapi, platform the parsed documents. @returns path and text of each file */
export async function packageFiles(openapi, platform) {
  return [
    { path: 'packages/client/src/contract.generated.ts', text: await clientContract(openapi) },
    {
      path: 'packages/client/src/platform.generated.ts',
      text: `${HEAD_OF_PLATFORM}${await typesOf(platform)}`,
    },
    { path: 'packages/loader/src/kinds/contract.generated.ts', text: loaderContract(openapi) },
  ];
}

/** TypeScript types of everything in the document. */
async function typesOf(openapi) {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const { default: ts } = await import('typescript');
  const types = await openapiTS(openapi, {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // An extensible enum: the known values, or any other string.
    transform: (schema) => {
      const known = schema['x-extensible-enum'];
      if (known === undefined) return undefined;
      const { factory } = ts;
      const literals = known.map((value) =>
        factory.createLiteralTypeNode(factory.createStringLiteral(value)),
      );
      const other = factory.createIntersectionTypeNode([
        factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
        factory.createTypeLiteralNode([]),
      ]);
      return factory.createUnionTypeNode([...literals, other]);
    },
  });
  return astToString(types);
}

/** The types, and the shapes of the requests that store items. */
async function clientContract(openapi) {
  const requests = requestsOf(openapi).map(({ operationId, path, schema, list }) => [
    operationId,
    { path, shape: shapeOf(openapi, schema.properties, list) },
  ]);
  return `${HEAD}${await typesOf(openapi)}
/** By operation id: the path, and the members of the body that are numbers or lists whose elements are or contain numbers. */
export const REQUESTS = ${literal(Object.fromEntries(requests))} as const;
`;
}

/** @param kept a list to include even if its elements have no numbers: they may already be JSON */
function shapeOf(openapi, properties, kept) {
  const members = Object.entries(properties).map(([name, schema]) => [name, resolved(openapi, schema)]);
  const numbers = members.filter(([, { type }]) => type === 'number').map(([name]) => name);
  const numberLists = members.filter(([, { items }]) => items?.type === 'number').map(([name]) => name);
  const lists = members
    .filter(([, { items }]) => items?.$ref !== undefined)
    .map(([name, { items }]) => [name, shapeOf(openapi, resolved(openapi, items).properties)])
    .filter(([name, shape]) => name === kept || Object.keys(shape).length > 0);
  return {
    ...(numbers.length > 0 && { numbers }),
    ...(numberLists.length > 0 && { numberLists }),
    ...(lists.length > 0 && { lists: Object.fromEntries(lists) }),
  };
}

/** The requests that store items with the fields of their items, and the sections of an account's content. */
export function loaderContract(openapi) {
  const requests = requestsOf(openapi);
  const { AccountContent } = openapi.components.schemas;
  const sections = Object.entries(AccountContent.properties)
    .filter(([, { $ref }]) => $ref?.endsWith('Content'))
    .map(([name]) => name);
  const operations = requests.map(({ operationId, parameters, list, item }) => [
    operationId,
    {
      parameters,
      ...(list !== undefined && { list }),
      required: item.required,
      fields: fieldsOf(openapi, item.properties),
      requiredInLists: requiredInLists(openapi, item.properties),
      choices: choicesOf(openapi, item.properties),
      rules: rulesOf(openapi, item.properties),
    },
  ]);
  const { external_account_number: account } = requests[0].schema.properties;
  return `${HEAD}
/**
 * By operation id: the query parameters, the member of the body that lists the items (without it, the body is the item), and the
 * fields of an item with their types. An object as a type stands for a list of objects with these fields, and a type in brackets
 * for a list of that type. \`requiredInLists\` has the required fields of the objects in a list. \`choices\` has the known values of a
 * field; an operator may have added others. \`rules\` has by path what every value of a field must fulfil.
 */
export const OPERATIONS = ${literal(Object.fromEntries(operations))} as const;

/** The members that every body has besides its items. */
export const ENVELOPE = ${literal(envelopeOf(openapi))} as const;

/** Maximum length of an account number, in characters. */
export const ACCOUNT_LENGTH_MAX = ${account.maxLength};

/** Maximum size of an item, in bytes. */
export const ITEM_BYTES_MAX = ${requests[0].item.bytesMax};

/** Maximum length of the lists in an item, at any level, by name. */
export const LIST_ITEMS_MAX: Readonly<Record<string, number>> = ${literal(listItemsMax(openapi, requests))};

/** The sections of an account's content, in the order of the digests. */
export const SECTIONS = ${literal(sections)} as const;
`;
}

/** Every operation that stores items of an account. */
function requestsOf(openapi) {
  const envelope = envelopeOf(openapi);
  return creationsOf(openapi).map(({ path, operation }) => {
    const schema = bodyOf(openapi, operation);
    const own = Object.entries(schema.properties).filter(([name]) => !envelope.includes(name));
    const [[list, { items }]] = own;
    const isList = own.length === 1 && items?.$ref !== undefined;
    const { properties, required = [], 'x-max-bytes': bytesMax } = isList ? resolved(openapi, items) : schema;
    return {
      operationId: operation.operationId,
      path,
      parameters: operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      schema,
      ...(isList && { list }),
      item: {
        bytesMax,
        properties: isList ? properties : Object.fromEntries(own),
        required: required.filter((name) => !envelope.includes(name)),
      },
    };
  });
}

/** The maximum length of each list in an item, at any level. */
function listItemsMax(openapi, requests) {
  const within = (properties) =>
    Object.entries(properties).flatMap(([name, { maxItems, items = {} }]) => [
      ...(maxItems === undefined ? [] : [[name, maxItems]]),
      ...within(resolved(openapi, items).properties ?? {}),
    ]);
  return Object.fromEntries(requests.flatMap(({ item }) => within(item.properties)));
}

/** The members that all bodies have in common. */
function envelopeOf(openapi) {
  const [first, ...others] = creationsOf(openapi).map(({ operation }) =>
    Object.keys(bodyOf(openapi, operation).properties),
  );
  return first.filter((name) => others.every((names) => names.includes(name)));
}

function creationsOf({ paths }) {
  return Object.entries(paths)
    .filter(([path, { post }]) => path.startsWith(BASE) && post !== undefined)
    .map(([path, { post }]) => ({ path, operation: post }));
}

function bodyOf(openapi, { requestBody }) {
  const { $ref } = requestBody.content['application/json'].schema;
  return { name: nameOf($ref), ...resolved(openapi, { $ref }) };
}

function fieldsOf(openapi, properties) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, typeOf(openapi, resolved(openapi, schema))]),
  );
}

/** The required fields of the objects in each list of objects. */
function requiredInLists(openapi, properties) {
  const lists = Object.entries(properties)
    .map(([name, schema]) => [name, resolved(openapi, resolved(openapi, schema).items ?? {})])
    .filter(([, { type }]) => type === 'object');
  return Object.fromEntries(lists.map(([name, { required = [] }]) => [name, required]));
}

/** The known values of each field: a closed enum, or a catalogue, whose values only the description names. */
function choicesOf(openapi, properties) {
  const lists = Object.entries(properties).map(([name, schema]) => {
    const { enum: closed, description = '' } = resolved(openapi, schema);
    const [, named = ''] = /Allowed are ((?:`\w+`(?:, )?)+)/.exec(description) ?? [];
    return [name, closed ?? [...named.matchAll(/\w+/g)].map(([value]) => value)];
  });
  return Object.fromEntries(lists.filter(([, values]) => values.length > 0));
}

/** By path what a value of a field must fulfil, of a number also what only the description says. */
function rulesOf(openapi, properties, path = '') {
  const rules = Object.entries(properties).flatMap(([name, schema]) => {
    const { minLength, maxLength, pattern, minimum, maximum, items, type, description, ...rest } = resolved(
      openapi,
      schema,
    );
    const within = Object.entries(
      rulesOf(openapi, resolved(openapi, items ?? {}).properties ?? {}, `${path}${name}.`),
    );
    const [, places] = /At most (\d+) decimal places/.exec(description ?? '') ?? [];
    const [, digits, whole, after] =
      /At most (\d+) significant digits, (\d+) digits before the decimal point and (\d+) after/.exec(
        description ?? '',
      ) ?? [];
    const numbers = { decimals: places ?? after, digits, whole };
    const written = Object.entries(numbers).filter(([, value]) => type === 'number' && value !== undefined);
    const rule = {
      ...definedIn({ minLength, maxLength, pattern, minimum, maximum, enum: rest.enum }),
      ...Object.fromEntries(written.map(([key, value]) => [key, Number(value)])),
    };
    return [...(type !== 'array' && Object.keys(rule).length > 0 ? [[path + name, rule]] : []), ...within];
  });
  return Object.fromEntries(rules);
}

function definedIn(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function typeOf(openapi, { type, format, items, properties }) {
  if (type === 'array') {
    const element = typeOf(openapi, resolved(openapi, items));
    return typeof element === 'string' ? [element] : element;
  }
  if (type === 'object') return fieldsOf(openapi, properties);
  if (type === 'number' || type === 'boolean') return type;
  return format === 'date' || format === 'date-time' ? format : 'text';
}

function resolved({ components }, schema) {
  return schema.$ref === undefined ? schema : components.schemas[nameOf(schema.$ref)];
}

function nameOf($ref) {
  return $ref.split('/').at(-1);
}

/** A value as a TypeScript literal. */
function literal(value) {
  return JSON.stringify(value, undefined, 2).replaceAll(/"(\w+)":/g, '$1:');
}
