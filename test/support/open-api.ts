import type { AnySchema, ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describeContract } from '../../src/apps/http/openapi/contract.js';

interface Content {
  'application/json': { schema: AnySchema; example?: unknown };
}

export interface Parameter {
  name?: string;
  in?: string;
  description?: string;
  schema?: Record<string, unknown>;
  $ref?: string;
}

export interface OperationDescription {
  operationId: string;
  description: string;
  tags: string[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content: Content; headers: Record<string, unknown> }>;
}

export interface OpenApi {
  openapi: string;
  info: Record<'description' | 'version', string> & { license: Record<string, string> };
  servers: { url: string; variables: Record<string, { default: string }> }[];
  tags: { name: string; description?: string }[];
  security: unknown;
  paths: Record<string, Record<string, OperationDescription>>;
  components: {
    schemas: Record<string, Record<string, unknown>>;
    headers: Record<string, { required?: boolean }>;
  };
}

/** Generate the OpenAPI description of the REST interface from the classes that serve it. */
export async function describeOpenApi(): Promise<OpenApi> {
  const file = (await describeContract()).find(({ name }) => name === 'openapi.json');
  return JSON.parse(file!.text) as OpenApi;
}

export type Validate = (schema: AnySchema, value: unknown) => ErrorObject[];

/** A client's validator: the errors of a value by a schema of the document. */
export function validatorFor(document: OpenApi): Validate {
  const ajv = new Ajv2020({ strict: false, allErrors: true, discriminator: false });
  formats.default(ajv);
  // Schemas refer to each other from the root of the document.
  const { components } = document;
  return (schema, value) => {
    const validate = ajv.compile({ ...(schema as object), components });
    return validate(value) ? [] : (validate.errors ?? []);
  };
}
