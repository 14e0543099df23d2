import { readFile } from 'node:fs/promises';
import type { Type } from '@nestjs/common';
import type { AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { shapeOf } from '../../src/infrastructure/validation/payload-shape.js';
import { ERRORS, FIELD_ERRORS } from '../../src/infrastructure/errors/errors.js';
import { describeContract } from '../../src/apps/http/openapi/contract.js';
import { CreateNotesDto } from '../../src/notes/notes.dto.js';
import { CreatePaymentInstructionDto } from '../../src/payment-instructions/payment-instructions.dto.js';
import { CreateHistoricalStatementsDto } from '../../src/statements/statements.dto.js';
import { CreateTransactionsDto } from '../../src/transactions/transactions.dto.js';
import {
  describeOpenApi,
  validatorFor,
  type OpenApi,
  type OperationDescription,
} from '../support/open-api.js';

it('the committed contract is what the service serves (else: npm run contract)', async () => {
  for (const { name, text } of await describeContract()) {
    expect(await readFile(`contract/${name}`, 'utf8')).toBe(text);
  }
});

it.each(['openapi.json', 'platform.json'])('%s is OpenAPI 3.1, in its schemas too', async (name) => {
  const text = await readFile(`contract/${name}`, 'utf8');
  const { openapi, components } = JSON.parse(text) as OpenApi;
  expect(openapi).toMatch(/^3\.1\./);
  // OpenAPI 3.0 declared null values with a keyword that 3.1 ignores.
  expect(text).not.toContain('"nullable"');
  const ajv = new Ajv2020({ keywords: ['x-extensible-enum', 'x-max-bytes', 'discriminator', 'components'] });
  formats.default(ajv);
  for (const schema of Object.keys(components.schemas)) {
    expect(ajv.compile({ $ref: `#/components/schemas/${schema}`, components })).toBeInstanceOf(Function);
  }
});

/** The classes of all request bodies. */
const BODIES = [
  CreateNotesDto,
  CreateTransactionsDto,
  CreateHistoricalStatementsDto,
  CreatePaymentInstructionDto,
];

const publishedName = (body: Type): string => body.name.replace(/Dto$/, '');

describe('openapi.json', () => {
  let document: OpenApi;
  let operations: { path: string; method: string; operation: OperationDescription }[];

  beforeAll(async () => {
    document = await describeOpenApi();
    operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
    );
  });

  it('names every route with its trailing slash, its errors and its token (T1, T2)', () => {
    expect(Object.keys(document.paths)).toContain('/v1/data-import/notes/create/');
    expect(document.security).toEqual([{ Token: [] }]);
    for (const { path, method, operation } of operations) {
      const { responses } = operation;
      expect(path).toMatch(/^\/v1\/data-import\/.*\/$/);
      const errors = [400, 401, 404, 429, 500, 503, ...(method === 'post' ? [413, 415] : [])];
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(errors.map(String)));
      for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty('X-Request-Id');
      expect(responses['503']!.headers).toHaveProperty('Retry-After');
      const isList = /-processes\/|account-contents\//.test(path);
      expect('Link' in (responses['200']?.headers ?? {})).toBe(isList);
      expect('X-Dry-Run' in (responses['201']?.headers ?? {})).toBe(method === 'post');
      expect(responses['400']!.description.includes('transaction_import_error')).toBe(
        path.includes('/transactions/'),
      );
      const notFound = [...responses['404']!.description.matchAll(/`(\w+)`/g)].map(([, code]) => code);
      expect(notFound).toEqual([
        ...(path.includes('{') ? ['not_found'] : []),
        ...(isList ? [] : ['account_not_found']),
      ]);
    }
  });

  it('names where the service is, how to obtain a token, and the limits that are in force by default (T1, T15, A3)', () => {
    const { info, servers } = document;
    expect(servers).toMatchObject([{ variables: { base_url: { default: 'http://127.0.0.1:3000' } } }]);
    expect(info.license).toEqual({ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' });
    for (const part of [
      'obtainServiceToken',
      '60 minutes',
      '7 days',
      '10 MiB',
      '5,000 notes',
      '1,000 errors',
    ]) {
      expect(info.description).toContain(part);
    }
  });

  it('names the headers that every answer has, and accepts a request id everywhere (T3, T4)', () => {
    const { headers } = document.components;
    const always = Object.keys(headers).filter((name) => headers[name]!.required === true);
    expect(always.sort()).toEqual([
      'Retry-After',
      'WWW-Authenticate',
      'X-Data-Import-Version',
      'X-Request-Id',
    ]);
    for (const { operation } of operations) {
      expect(operation.parameters).toContainEqual({ $ref: '#/components/parameters/X-Request-Id' });
    }
  });

  it('has an operation id and schema names for clients', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.sort()).toEqual([
      'createHistoricalStatements',
      'createNotes',
      'createPaymentInstruction',
      'createTransactions',
      'getAccountContent',
      'getAccountTransferStatus',
      'listAccountContents',
      'listAllAccountImportProcesses',
      'listImportedAccountImportProcesses',
      'listPendingAccountImportProcesses',
    ]);
    const internal = /Dto$|^(Error|Object)$/;
    expect(Object.keys(document.components.schemas).filter((name) => internal.test(name))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/Dto\b/);
  });

  it('describes every tag, operation, answer, parameter and schema', () => {
    const tags = new Set(document.tags.filter(({ description }) => description).map(({ name }) => name));
    for (const { operation } of operations) {
      expect(operation.description).toMatch(/\.$/);
      expect(operation.tags.filter((tag) => !tags.has(tag))).toEqual([]);
      for (const { description } of Object.values(operation.responses)) expect(description).toMatch(/./);
      for (const { $ref, description, schema } of operation.parameters) {
        // Generators read the description of the parameter, not of its schema.
        if ($ref === undefined) expect(description).toMatch(/\.$/);
        expect(schema ?? {}).not.toHaveProperty('description');
      }
    }
    const { schemas } = document.components;
    const undescribed = Object.keys(schemas).filter(
      (name) => schemas[name]!.type === 'object' && !schemas[name]!.description,
    );
    expect(undescribed).toEqual([]);
  });

  it('leaves the lists of codes open, except where the code distinguishes the answers of transactions (T4, T5, X8)', () => {
    const { schemas } = document.components;
    expect(schemas.ErrorCode!['x-extensible-enum']).toEqual(Object.keys(ERRORS));
    expect(schemas.FieldErrorCode!['x-extensible-enum']).toEqual(Object.keys(FIELD_ERRORS));
    const validate = validatorFor(document);
    const plain = { detail: 'd', errors: [] };
    const failed = {
      ...plain,
      code: 'transaction_import_error',
      status: 'TRANSACTION_IMPORT_ERROR',
      error_detail: 'd',
      transaction_data: {
        transaction_id: 't',
        transaction_date: '2026-11-02',
        amount: '1.00',
        type: 'CHARGE',
      },
    };
    const refusal: AnySchema = { $ref: '#/components/schemas/TransactionsRefusal' };
    expect(validate(refusal, failed)).toEqual([]);
    expect(validate(refusal, { ...plain, code: 'validation_error' })).toEqual([]);
    expect(validate(refusal, { ...plain, code: 'transaction_import_error' })).not.toEqual([]);
    expect(validate({ $ref: '#/components/schemas/ErrorResponse' }, { ...plain, code: 'new' })).toEqual([]);
  });

  it('has an example of every request and success that matches its own schema', () => {
    const validate = validatorFor(document);
    for (const { method, operation } of operations) {
      const { operationId, requestBody, responses } = operation;
      expect(requestBody !== undefined).toBe(method === 'post');
      const success = responses['201'] ?? responses['200'];
      for (const part of [requestBody, success].filter((one) => one !== undefined)) {
        const { schema, example } = part.content['application/json'];
        expect(example).toBeDefined();
        expect({ operationId, errors: validate(schema, example) }).toEqual({ operationId, errors: [] });
      }
    }
  });

  it('has every field of an input under its name, required or not, and no other (T8)', () => {
    const { schemas } = document.components;
    for (const body of BODIES) {
      const { fields, required } = shapeOf(body);
      const schema = schemas[publishedName(body)]!;
      expect(Object.keys(schema.properties as object)).toEqual([...fields.keys()]);
      expect(schema).toMatchObject({ required, additionalProperties: false });
    }
  });

  it('repeats in answers every field of a transaction, the amount as text (X9)', () => {
    const { Transaction, TransactionData, RefusedTransactionData } = document.components.schemas as Record<
      string,
      { properties: Record<string, { type?: string; maxLength?: number }>; required: string[] }
    >;
    const fields = Object.keys(Transaction!.properties);
    const { required } = Transaction!;
    expect(Object.keys(TransactionData!.properties).sort()).toEqual([...fields, 'status'].sort());
    expect(Object.keys(RefusedTransactionData!.properties).sort()).toEqual([...fields].sort());
    expect([...TransactionData!.required].sort()).toEqual([...required, 'status'].sort());
    expect([...RefusedTransactionData!.required].sort()).toEqual([...required].sort());
    expect(TransactionData!.properties.amount!.type).toBe('string');
    // A sentence is appended to the note of a moved transaction.
    expect(TransactionData!.properties.note!.maxLength).toBeUndefined();
    expect(RefusedTransactionData!.properties.note!.maxLength).toBe(Transaction!.properties.note!.maxLength);
  });
});
