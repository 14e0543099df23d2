import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS, FIELD_ERRORS, type ErrorCode } from './common/errors.js';

type Components = NonNullable<OpenAPIObject['components']>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Response = Exclude<Operation['responses'][string], { $ref: string } | undefined>;
type Headers = NonNullable<Components['headers']>;
type Schemas = NonNullable<Components['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/**
 * What the framework leaves out of the description of the REST interface: trailing slashes, the errors of each operation,
 * the headers of answers, and that undocumented fields are refused.
 *
 * Source: contract T1 to T8, S5, R1.
 */
export function completed(document: OpenAPIObject): OpenAPIObject {
  const schemas = document.components?.schemas ?? {};
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const address = path.endsWith('/') ? path : `${path}/`;
    for (const operation of [item.get, item.post]) {
      if (!operation) continue;
      addErrors(address, operation);
      addHeaders(operation);
      closePayload(operation.requestBody, schemas);
    }
    return [address, item];
  });
  const all = Object.entries({ ...schemas, Error: ERROR, TransactionImportError: TRANSACTION_IMPORT_ERROR });
  return {
    ...document,
    paths: Object.fromEntries(paths) as OpenAPIObject['paths'],
    components: {
      ...document.components,
      headers: HEADERS,
      schemas: Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

const ERROR: Schema = {
  type: 'object',
  required: ['detail', 'code', 'errors'],
  properties: {
    detail: { type: 'string', description: 'For people; its wording may change.' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['detail', 'code', 'attr'],
        properties: {
          detail: { type: 'string', description: 'For people; its wording may change.' },
          code: { type: 'string', enum: Object.keys(FIELD_ERRORS) },
          attr: { type: 'string', description: 'Dot-delimited path to the offending input.' },
        },
      },
    },
  },
};

/** What `transaction_import_error` has beside the members of every error (specification 7.2; contract X8). */
const TRANSACTION_IMPORT_ERROR: Schema = {
  allOf: [{ $ref: '#/components/schemas/Error' }],
  type: 'object',
  description:
    'The first transaction that could not be booked; errors names all of them. Nothing was stored.',
  required: ['status', 'error_detail', 'transaction_data'],
  properties: {
    status: { type: 'string', enum: ['TRANSACTION_IMPORT_ERROR'] },
    error_detail: { type: 'string', description: 'Why; for people.' },
    transaction_data: { type: 'object', description: 'The transaction as it was sent, its amount as text.' },
  },
};

/** Codes that only some addresses answer; any other may come from all of them. */
const ONLY_AT: Partial<Record<ErrorCode, RegExp>> = {
  transaction_import_error: /\/transactions\//,
  payment_vendor_unavailable: /\/payment-instruction\//,
  account_not_found: /\/(create|account-transfer-status)\//,
  not_found: /-account-import-processes\//,
};
/** Errors that only a request with a body can have. */
const OF_BODIES = new Set([413, 415]);
/** Told for another address, so no documented operation answers it. */
const OF_OTHER_ADDRESSES = new Set([405]);

function addErrors(address: string, operation: Operation): void {
  for (const status of new Set(Object.values(ERRORS).map((error) => error.status))) {
    if (OF_OTHER_ADDRESSES.has(status) || (OF_BODIES.has(status) && !operation.requestBody)) continue;
    const codes = (Object.keys(ERRORS) as ErrorCode[]).filter(
      (code) => ERRORS[code].status === status && (ONLY_AT[code]?.test(address) ?? true),
    );
    const error = { $ref: '#/components/schemas/Error' };
    const isOfTransaction = codes.includes('transaction_import_error');
    const ofTransaction = { $ref: '#/components/schemas/TransactionImportError' };
    operation.responses[String(status)] ??= {
      description: codes.join(', '),
      content: {
        'application/json': { schema: isOfTransaction ? { anyOf: [error, ofTransaction] } : error },
      },
    };
  }
}

const HEADERS: Headers = {
  'X-Request-Id': {
    description: 'Names the request in the log: the one that was sent, else a new one.',
    schema: { type: 'string' },
  },
  'X-Dry-Run': {
    description: 'Present when dry_run was asked for: nothing was stored.',
    schema: { type: 'string', enum: ['true'] },
  },
  Link: {
    description: 'Address of the next page, as <…>; rel="next"; absent on the last page and without limit.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before the same request.', schema: { type: 'integer' } },
  'WWW-Authenticate': { schema: { type: 'string', enum: ['Token'] } },
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
}

/** An undocumented field of a payload is refused, however deep it stands (contract T8). */
function closePayload(part: unknown, schemas: Schemas): void {
  for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    const schema = schemas[name ?? ''] as Schema | undefined;
    if (schema === undefined || schema.additionalProperties === false) continue;
    schema.additionalProperties = false;
    closePayload(schema, schemas);
  }
}
