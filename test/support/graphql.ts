import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import type { Reply, TestClient, TestService } from './service.js';

export interface GraphqlBody<Data = unknown> {
  data?: Data | null;
  errors?: { message: string; path?: string[]; extensions: Record<string, unknown> }[];
}

export interface ServiceToken {
  token: string;
  payload: { sub: string; key: string; use: string; iat: number; exp: number };
  refreshToken: string;
  refreshExpiresIn: number;
}

export const OBTAIN = `mutation Obtain($input: ObtainServiceTokenInput!) {
  obtainServiceToken(input: $input) { token payload refreshToken refreshExpiresIn }
}`;

export interface GraphqlCall {
  readonly variables?: unknown;
  readonly token?: string;
  readonly headers?: Record<string, string>;
}

/** Send an operation as GraphQL tools do: as JSON in a POST. */
export function graphql<Data = unknown>(
  service: TestClient,
  query: string,
  { variables, token, headers = {} }: GraphqlCall = {},
): Promise<Reply<GraphqlBody<Data>>> {
  return service.call<GraphqlBody<Data>>('/v1/graphql/', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Token ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
  });
}

/** Call obtainServiceToken. */
export function obtain(
  service: TestClient,
  input: unknown,
  call: GraphqlCall = {},
): Promise<Reply<GraphqlBody<{ obtainServiceToken: ServiceToken }>>> {
  return graphql(service, OBTAIN, { ...call, variables: { input } });
}

/** Call obtainServiceToken and expect success. */
export async function obtained(service: TestClient, input: unknown): Promise<ServiceToken> {
  const { body } = await obtain(service, input);
  expect(body.errors).toBeUndefined();
  return body.data!.obtainServiceToken;
}

/** Issue an API key of an organisation. */
export function issueKey(
  service: TestService,
  organisationId: string,
  expiresAt?: Date,
): Promise<{ id: string; key: string }> {
  const keys = service.app.get(ApiKeysService, { strict: false });
  return keys.issue(organisationId, { label: 'test', ...(expiresAt && { expiresAt }) }, 'test');
}

/** Expect that an operation was executed and failed with one error: status 200, and only these two extensions. */
export function expectFailure(reply: Reply<GraphqlBody>, code: string): void {
  expect({ status: reply.status, errors: reply.body.errors }).toEqual({
    status: 200,
    errors: [
      expect.objectContaining({
        message: expect.any(String) as string,
        extensions: { code, errorDescription: expect.any(String) as string },
      }),
    ],
  });
}
