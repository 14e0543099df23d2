import type { Contender } from '../contenders/contender.js';
import { operatorCommand, type ServiceDatabase } from '../contenders/service.js';

/** A token of the platform, with a key that a command issues. */
export async function platformToken({ origin }: Contender, database: ServiceDatabase): Promise<string> {
  const { answer } = await operatorCommand(database, [
    'platform-key',
    'issue',
    'bench',
    '--expires-in',
    '1d',
  ]);
  const { key } = answer as unknown as { key: string };
  const query = 'mutation ($apiKey: String) { obtainServiceToken(input: { apiKey: $apiKey }) { token } }';
  const response = await fetch(`${origin}/v1/graphql/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { apiKey: key } }),
  });
  const { data } = (await response.json()) as { data: { obtainServiceToken: { token: string } } };
  return data.obtainServiceToken.token;
}
