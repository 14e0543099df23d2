import type { OpenAPIObject } from '@nestjs/swagger';
import { ERRORS, FIELD_ERRORS, type ErrorCode } from '../../../infrastructure/errors/errors.js';
import { PARAMETER_LENGTH_MAX } from '../plugins/route-table.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['post']>;
type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

const reference = (name: string): { $ref: string } => ({ $ref: `#/components/schemas/${name}` });

/** A Markdown list of codes and their default texts. */
function listed(codes: readonly string[], texts: Readonly<Record<string, string>>): string {
  return codes.map((code) => `- \`${code}\`: ${texts[code] ?? ''}`).join('\n');
}

const CODES = Object.keys(ERRORS) as ErrorCode[];
const TEXTS = Object.fromEntries(CODES.map((code) => [code, ERRORS[code].detail]));

/**
 * Codes are published as an open list: with a closed one, strict clients would fail on the answer that explains a failure.
 * The list is closed only at status 400, where the code distinguishes the two error schemas of transactions. A further code there
 * would be another kind of answer, which is not added without notice (specification 9).
 */
const ERROR_CODE: Schema = {
  type: 'string',
  'x-extensible-enum': CODES,
  description: `The kind of failure. A code never changes its name or meaning. Further codes may be added: handle an unknown one by the status of the answer. Known codes:\n\n${listed(CODES, TEXTS)}`,
} as Schema;

const FIELD_ERROR_CODE: Schema = {
  type: 'string',
  'x-extensible-enum': Object.keys(FIELD_ERRORS),
  description: `What is wrong. A code never changes its name or meaning. Further codes may be added; like these they mean that the input must be corrected. Known codes:\n\n${listed(Object.keys(FIELD_ERRORS), FIELD_ERRORS)}`,
} as Schema;

const FIELD_ERROR: Schema = {
  type: 'object',
  description: 'One error in the input.',
  required: ['detail', 'code', 'attr'],
  properties: {
    detail: { type: 'string', description: 'For people; its wording may change.' },
    code: reference('FieldErrorCode'),
    attr: {
      type: 'string',
      description:
        'Dot-delimited path to the invalid input, such as `transactions.3.line_items.0.net_amount` (indexes begin with 0). For a query parameter its name, for a path segment the name of its placeholder, for the whole payload the empty string.',
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
        description: 'Every error in the input; empty when the failure is not about the input.',
      },
      ...more.properties,
    },
  };
}

const IMPORT_ERROR = 'transaction_import_error' satisfies ErrorCode;
const INVALID = CODES.filter((code) => ERRORS[code].status === 400 && code !== IMPORT_ERROR);

/** The errors of specification 7. Status 400 has its own schemas, so that clients can distinguish them by their code. */
export const ERROR_SCHEMAS: Schemas = {
  ErrorCode: ERROR_CODE,
  FieldErrorCode: FIELD_ERROR_CODE,
  FieldError: FIELD_ERROR,
  ErrorResponse: errorSchema(reference('ErrorCode'), { description: 'Why the request failed.' }),
  InvalidRequest: errorSchema(
    { type: 'string', enum: INVALID, description: listed(INVALID, TEXTS) },
    { description: 'Nothing was stored, and the same request fails again until it is corrected.' },
  ),
  // Specification 7.2; choice X8.
  TransactionImportError: errorSchema(
    { type: 'string', enum: [IMPORT_ERROR] },
    {
      description:
        "Transactions lie outside the account's open statement period, and the request does not allow moving them. `transaction_data` and `error_detail` are about the first one; `errors` lists all. Nothing was stored.",
      required: ['status', 'error_detail', 'transaction_data'],
      properties: {
        status: { type: 'string', enum: ['TRANSACTION_IMPORT_ERROR'] },
        error_detail: {
          type: 'string',
          description: 'For people: the transaction, its date and the open statement period.',
        },
        transaction_data: reference('RefusedTransactionData'),
      },
    },
  ),
  TransactionsRefusal: {
    description: 'Why no transaction was added; `code` says which of the two schemas applies.',
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

/** Codes that only some paths answer. Every other code may come from any path. */
const ONLY_AT: Partial<Record<ErrorCode, RegExp>> = {
  transaction_import_error: /\/transactions\//,
  payment_vendor_unavailable: /\/payment-instruction\//,
  account_not_found: /\/(create|account-transfer-status|account-content)\//,
  feed_restarted: /\/changes\//,
  // A path with a segment that is too long or cannot be decoded does not exist (choice T4).
  not_found: /\{\w+\}/,
};
/** The meaning of `not_found` is wider where a path has placeholders. */
const PATH_TEXTS = {
  ...TEXTS,
  not_found: `${TEXTS.not_found ?? ''} This also applies to a path segment that is not percent-encoded UTF-8 or has more than ${PARAMETER_LENGTH_MAX.toLocaleString('en')} characters and, for the lists, to an import supplier that is unknown or not granted to the caller.`,
};
/** Statuses that only a request with a body can get. */
const BODY_ONLY = new Set([413, 415]);
/** The answer to an undocumented method, so no documented operation has it. */
const WRONG_METHOD = new Set([405]);

/** Describe the errors of an operation, by status. */
export function addErrors(path: string, operation: Operation): void {
  for (const status of new Set(Object.values(ERRORS).map((error) => error.status))) {
    if (WRONG_METHOD.has(status) || (BODY_ONLY.has(status) && !operation.requestBody)) continue;
    const codes = CODES.filter(
      (code) => ERRORS[code].status === status && (ONLY_AT[code]?.test(path) ?? true),
    );
    if (codes.length === 0) continue;
    operation.responses[String(status)] ??= {
      description: listed(codes, codes.includes('not_found') ? PATH_TEXTS : TEXTS),
      content: { 'application/json': { schema: reference(errorSchemaOf(status, codes)) } },
    };
  }
}

function errorSchemaOf(status: number, codes: readonly ErrorCode[]): string {
  if (codes.includes(IMPORT_ERROR)) return 'TransactionsRefusal';
  return status === 400 ? 'InvalidRequest' : 'ErrorResponse';
}
