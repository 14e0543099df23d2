import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS, FIELD_ERRORS, type ErrorCode } from '../../common/errors.js';
import { REQUEST_ID } from '../request-id.js';
import { PARAMETER_LENGTH_MAX } from '../route-table.js';
import { EXAMPLES } from './open-api-examples.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Headers = NonNullable<Components['headers']>;
type Parameters = NonNullable<Components['parameters']>;
type Schemas = NonNullable<Components['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/**
 * What the framework leaves out of the description of the REST interface: trailing slashes, the errors of each operation,
 * the headers of requests and answers, examples, the names that clients know schemas by, and that undocumented fields are
 * refused.
 *
 * Source: contract T1 to T8, S5, R1, X8.
 */
export function completed(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const address = path.endsWith('/') ? path : `${path}/`;
    for (const operation of [item.get, item.post]) {
      if (!operation) continue;
      if (operation.requestBody) tellWhatLoadsShare(operation);
      addExamples(operation);
      addErrors(address, operation);
      addHeaders(operation);
      closePayload(operation.requestBody, schemas);
    }
    return [address, item];
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

/** Clients know a schema by its class's name without the `Dto`, which tells classes of the wire from others in our code. */
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
  return JSON.parse(text, (_key, value: unknown) => withoutDetour(value)) as OpenAPIObject;
}

/** The framework wraps a reference to a named list of values into an `allOf`, also when nothing stands beside it. */
function withoutDetour(value: unknown): unknown {
  const { allOf, ...beside } = (value ?? {}) as { allOf?: unknown };
  const isLone = Array.isArray(allOf) && allOf.length === 1 && Object.keys(beside).length === 0;
  return isLone ? (allOf as unknown[])[0] : value;
}

const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** A Markdown list of codes and their usual texts. */
function listed(codes: readonly string[], texts: Readonly<Record<string, string>>): string {
  return codes.map((code) => `- \`${code}\`: ${texts[code] ?? ''}`).join('\n');
}

const CODES = Object.keys(ERRORS) as ErrorCode[];
const TEXTS = Object.fromEntries(CODES.map((code) => [code, ERRORS[code].detail]));

/**
 * A code of an answer is a text that may grow further values: a closed list would make strict clients fail at the very
 * answer that explains a failure. Only of status 400, where the answers of transactions are told apart by it, the list is
 * closed; a further one would be another kind of answer, which does not come without notice (specification 9).
 */
const ERROR_CODE: Schema = {
  type: 'string',
  'x-extensible-enum': CODES,
  description: `What kind of failure it is. A code keeps its name and meaning for ever; further ones may be added, so take one that you do not know by the status of the answer. Known are:\n\n${listed(CODES, TEXTS)}`,
} as Schema;

const FIELD_ERROR_CODE: Schema = {
  type: 'string',
  'x-extensible-enum': Object.keys(FIELD_ERRORS),
  description: `What is wrong. A code keeps its name and meaning for ever; further ones may be added, and mean like all of these that something must be mended first. Known are:\n\n${listed(Object.keys(FIELD_ERRORS), FIELD_ERRORS)}`,
} as Schema;

const FIELD_ERROR: Schema = {
  type: 'object',
  description: 'One thing that is wrong with the input.',
  required: ['detail', 'code', 'attr'],
  properties: {
    detail: { type: 'string', description: 'For people; its wording may change.' },
    code: reference('FieldErrorCode'),
    attr: {
      type: 'string',
      description:
        'Dot-delimited path to the offending input, such as `transactions.3.line_items.0.net_amount` (indexes begin with 0). Of a query parameter its name, of a path segment the name of its placeholder, of the whole payload empty.',
    },
  },
};

/** The members that every error has. */
function errorSchema(code: Schema | { $ref: string }, more: Partial<Schema>): Schema {
  return {
    type: 'object',
    ...more,
    required: ['detail', 'code', 'errors', ...(more.required ?? [])],
    properties: {
      detail: { type: 'string', description: 'For people; its wording may change.' },
      code,
      errors: {
        type: 'array',
        items: reference('FieldError'),
        description: 'Everything that is wrong with the input; empty when no input is to blame.',
      },
      ...more.properties,
    },
  };
}

const IMPORT_ERROR = 'transaction_import_error' satisfies ErrorCode;
const INVALID = CODES.filter((code) => ERRORS[code].status === 400 && code !== IMPORT_ERROR);

/** The errors of specification 7. Status 400 has schemas of its own, so that a client tells them apart by their code. */
const ERROR_SCHEMAS: Schemas = {
  ErrorCode: ERROR_CODE,
  FieldErrorCode: FIELD_ERROR_CODE,
  FieldError: FIELD_ERROR,
  ErrorResponse: errorSchema(reference('ErrorCode'), { description: 'Why there is no other answer.' }),
  InvalidRequest: errorSchema(
    { type: 'string', enum: INVALID, description: listed(INVALID, TEXTS) },
    { description: 'Nothing was stored, and the same request fails again until something is mended.' },
  ),
  // Specification 7.2; contract X8.
  TransactionImportError: errorSchema(
    { type: 'string', enum: [IMPORT_ERROR] },
    {
      description:
        'Transactions lie outside the open statement period of the account, and were not to be moved. `transaction_data` and `error_detail` are of the first one, `errors` names all. Nothing was stored.',
      required: ['status', 'error_detail', 'transaction_data'],
      properties: {
        status: { type: 'string', enum: ['TRANSACTION_IMPORT_ERROR'] },
        error_detail: {
          type: 'string',
          description: 'Why, with the transaction, its date and the period; for people.',
        },
        transaction_data: reference('RefusedTransactionData'),
      },
    },
  ),
  TransactionsRefusal: {
    description: 'Why transactions were not added; `code` tells which of the two it is.',
    oneOf: [reference('TransactionImportError'), reference('InvalidRequest')],
    discriminator: {
      propertyName: 'code',
      mapping: Object.fromEntries([
        [IMPORT_ERROR, reference('TransactionImportError').$ref],
        ...INVALID.map((code) => [code, reference('InvalidRequest').$ref] as const),
      ]),
    },
  },
};

/** Codes that only some addresses answer; any other may come from all of them. */
const ONLY_AT: Partial<Record<ErrorCode, RegExp>> = {
  transaction_import_error: /\/transactions\//,
  payment_vendor_unavailable: /\/payment-instruction\//,
  account_not_found: /\/(create|account-transfer-status)\//,
  // An address of which a segment is too long, or cannot be decoded, is nobody's (contract T4).
  not_found: /\{\w+\}/,
};
/** What `not_found` means where an address has placeholders. */
const TEXTS_OF_PATHS = {
  ...TEXTS,
  not_found: `${TEXTS.not_found ?? ''} So is told of an import supplier that is unknown or not granted to the caller, where the list of its accounts is asked for, and of a path segment that is not percent-encoded UTF-8 or has over ${PARAMETER_LENGTH_MAX.toLocaleString('en')} characters.`,
};
/** Errors that only a request with a body can have. */
const OF_BODIES = new Set([413, 415]);
/** Told for another address, so no documented operation answers it. */
const OF_OTHER_ADDRESSES = new Set([405]);

function addErrors(address: string, operation: Operation): void {
  for (const status of new Set(Object.values(ERRORS).map((error) => error.status))) {
    if (OF_OTHER_ADDRESSES.has(status) || (OF_BODIES.has(status) && !operation.requestBody)) continue;
    const codes = CODES.filter(
      (code) => ERRORS[code].status === status && (ONLY_AT[code]?.test(address) ?? true),
    );
    operation.responses[String(status)] ??= {
      description: listed(codes, codes.includes('not_found') ? TEXTS_OF_PATHS : TEXTS),
      content: { 'application/json': { schema: reference(errorSchemaOf(status, codes)) } },
    };
  }
}

function errorSchemaOf(status: number, codes: readonly ErrorCode[]): string {
  if (codes.includes(IMPORT_ERROR)) return 'TransactionsRefusal';
  return status === 400 ? 'InvalidRequest' : 'ErrorResponse';
}

const HEADERS: Headers = {
  'X-Request-Id': {
    required: true,
    description: 'Names the request in the log: the id that was sent, else a new one.',
    schema: { type: 'string', pattern: REQUEST_ID.source },
  },
  'X-Dry-Run': {
    description: 'Present when `dry_run` was asked for: nothing was stored.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description:
      'Address of the next page, without the base URL, as `<…>; rel="next"`; absent on the last page and without `limit`.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    required: true,
    description: 'Seconds to wait before the same request.',
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
      'An id of your own for this request, 1 to 128 of `A-Z a-z 0-9 . _ -`; anything else is passed over, and a new id given. It names the request in the log, and in the record of what it stored.',
    schema: { type: 'string' },
  },
};

function addHeaders(operation: Operation): void {
  const parameters = new Set(operation.parameters?.map((one) => ('name' in one ? one.name : '')));
  for (const [status, response] of Object.entries(operation.responses) as [string, Response][]) {
    const names = [
      'X-Request-Id',
      ...(parameters.has('dry_run') ? ['X-Dry-Run'] : []),
      ...(parameters.has('after') && status === '200' ? ['Link'] : []),
      ...(status === '429' || status === '503' ? ['Retry-After'] : []),
      ...(status === '401' ? ['WWW-Authenticate'] : []),
    ];
    response.headers = Object.fromEntries(
      names.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    );
  }
  const own = Object.keys(PARAMETERS).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  operation.parameters = [...(operation.parameters ?? []), ...own];
}

const OF_LOADS =
  'All or nothing: everything in the request is stored, or nothing is and the answer says why. The account must be imported: one that is only staged, unknown, or of an import supplier that is not granted to you is answered 404. A supplier whose migration is paused or complete is answered 400 (`import_supplier_migration_not_ongoing`). With `dry_run=true` everything is checked and answered the same, and nothing is stored.';

function tellWhatLoadsShare(operation: Operation): void {
  operation.description = [operation.description, OF_LOADS].filter(Boolean).join('\n\n');
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

/** An undocumented field of a payload is refused, however deep it stands (contract T8). */
function closePayload(part: unknown, schemas: Schemas): void {
  for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const schema = schemas[name ?? ''] as Schema | undefined;
    if (schema?.type !== 'object' || schema.additionalProperties === false) continue;
    schema.additionalProperties = false;
    closePayload(schema, schemas);
  }
}
