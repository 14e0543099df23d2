import type { OpenAPIObject } from '@nestjs/swagger';
import { REQUEST_ID } from '../../../infrastructure/log/request-origin.js';
import { nameCatalogueValues, type Catalogues } from './catalogue-values.js';
import { addErrors, ERROR_SCHEMAS } from './open-api-errors.js';
import { EXAMPLES } from './open-api-examples.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Headers = NonNullable<Components['headers']>;
type Parameters = NonNullable<Components['parameters']>;
type Schemas = NonNullable<Components['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/**
 * Complete the framework's description of the REST interface. Added are trailing slashes, the errors of each operation, the headers
 * of requests and answers, examples, the initial values of the catalogues, schema names for clients, and the rule that undocumented
 * fields are rejected.
 *
 * @param catalogues each catalogue's initial values
 * Source: choices T1 to T8, S5, R1, X3, X8.
 */
export function completed(document: OpenAPIObject, catalogues: Catalogues): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  nameCatalogueValues(schemas, catalogues);
  const paths = Object.entries(document.paths).map(([route, item]) => {
    const path = route.endsWith('/') ? route : `${route}/`;
    for (const operation of [item.get, item.post]) {
      if (!operation) continue;
      if (operation.requestBody) describeImport(operation);
      addExamples(operation);
      addErrors(path, operation);
      addHeaders(operation);
      closePayload(operation.requestBody, schemas);
    }
    return [path, item];
  });
  return withClientNames({
    ...document,
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
    components: {
      ...document.components,
      headers: HEADERS,
      parameters: PARAMETERS,
      schemas: { ...schemas, ...ERROR_SCHEMAS },
    },
  });
}

/** Remove the components that nothing refers to, and repeat until every remaining one is used. */
export function withoutUnused(document: OpenAPIObject): OpenAPIObject {
  const { securitySchemes, ...components } = document.components ?? {};
  const used = Object.entries(components).map(([kind, all]) => {
    const rest = Object.entries(all as Record<string, unknown>).filter(([name]) =>
      JSON.stringify(document).includes(`"#/components/${kind}/${name}"`),
    );
    return [kind, Object.fromEntries(rest)];
  });
  const pruned = {
    ...document,
    components: { securitySchemes, ...(Object.fromEntries(used) as object) },
  } as OpenAPIObject;
  return JSON.stringify(pruned) === JSON.stringify(document) ? document : withoutUnused(pruned);
}

/** Name schemas as their classes, without the `Dto` that distinguishes those from domain classes. */
function withClientNames(document: OpenAPIObject): OpenAPIObject {
  const { schemas = {}, ...components } = document.components ?? {};
  const named = Object.entries(schemas)
    .map(([name, schema]) => [name.replace(/Dto$/, ''), schema] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const renamed = {
    ...document,
    components: { ...components, schemas: Object.fromEntries(named) },
  };
  const text = JSON.stringify(renamed).replaceAll(/("#\/components\/schemas\/\w+?)Dto"/g, '$1"');
  return JSON.parse(text, (_key, value: unknown) => toVersion31(withoutLoneAllOf(value))) as OpenAPIObject;
}

/** The framework wraps a reference to an enum in an `allOf`, even where the reference is the only member. */
function withoutLoneAllOf(value: unknown): unknown {
  const { allOf, ...others } = (value ?? {}) as { allOf?: unknown };
  const isLone = Array.isArray(allOf) && allOf.length === 1 && Object.keys(others).length === 0;
  return isLone ? (allOf as unknown[])[0] : value;
}

/** The framework's decorators describe a value that may be null as `nullable`, which OpenAPI 3.1 does not have. */
function toVersion31(value: unknown): unknown {
  const { nullable, type, ...others } = (value ?? {}) as { nullable?: unknown; type?: unknown };
  return nullable === true ? { type: [type, 'null'], ...others } : value;
}

const HEADERS: Headers = {
  'X-Request-Id': {
    required: true,
    description: 'Identifies the request in the log: the id that was sent, or else a new one.',
    schema: { type: 'string', pattern: REQUEST_ID.source },
  },
  'X-Data-Import-Version': {
    required: true,
    description: 'Version of the service, such as `1.4.0`. Another major version may be incompatible.',
    schema: { type: 'string' },
  },
  'X-Dry-Run': {
    description: 'Present when `dry_run` was set: nothing was stored.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description:
      'The path and query of the next page, as `<…>; rel="next"`. Absent on the last page and without `limit`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before the request is sent again.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'The scheme of the `Authorization` header.',
    schema: { type: 'string', enum: ['Token'] },
  },
};

const PARAMETERS: Parameters = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'An id of your own for this request: 1 to 128 of `A-Z a-z 0-9 . _ -`. Anything else is ignored, and a new id is generated. It identifies the request in the log, and in the record of what it stored.',
    schema: { type: 'string' },
  },
};

function addHeaders(operation: Operation): void {
  const parameters = new Set(operation.parameters?.map((one) => ('name' in one ? one.name : '')));
  for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
    const names = [
      'X-Request-Id',
      'X-Data-Import-Version',
      ...(parameters.has('dry_run') ? ['X-Dry-Run'] : []),
      ...(parameters.has('after') && status === '200' ? ['Link'] : []),
      ...(status === '429' || status === '503' ? ['Retry-After'] : []),
      ...(status === '401' ? ['WWW-Authenticate'] : []),
    ];
    const headers = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    response.headers = { ...(Object.fromEntries(headers) as Headers), ...response.headers };
  }
  const own = Object.keys(PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  operation.parameters = [...(operation.parameters ?? []), ...own];
}

const IMPORT_TEXT =
  'All or nothing: either everything in the request is stored, or nothing is and the answer says why. The account must be imported: the answer is 404 for an account that is only staged or unknown, and for an import supplier that is not granted to you. It is 400 (`import_supplier_migration_not_ongoing`) for an import supplier whose migration is paused or complete. With `dry_run=true` the request is validated and answered in the same way, but nothing is stored.';

function describeImport(operation: Operation): void {
  operation.description = [operation.description, IMPORT_TEXT].filter(Boolean).join('\n\n');
}

function addExamples(operation: Operation): void {
  const { request, answer } = EXAMPLES[operation.operationId ?? ''] ?? {};
  const success = operation.responses['201'] ?? operation.responses['200'];
  for (const [part, example] of [
    [operation.requestBody, request],
    [success, answer],
  ] as const) {
    const content = part && 'content' in part ? part.content?.['application/json'] : undefined;
    if (content && example !== undefined) content.example = example;
  }
}

/** Undocumented fields of a payload are rejected at every depth (choice T8). */
function closePayload(part: unknown, schemas: Schemas): void {
  for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const schema = schemas[name ?? ''] as Schema | undefined;
    if (schema?.type !== 'object' || schema.additionalProperties === false) continue;
    schema.additionalProperties = false;
    closePayload(schema, schemas);
  }
}
