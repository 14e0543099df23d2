import type { Contender } from '../contenders/contender.js';
import { obtainToken, operatorCommand, type ServiceDatabase } from '../contenders/service.js';

/** Issue a platform key by command and obtain a token with it. */
export async function platformToken({ origin }: Contender, database: ServiceDatabase): Promise<string> {
  const words = ['platform-key', 'issue', 'bench', '--expires-in', '1d'];
  const { answer } = await operatorCommand(database, words);
  return obtainToken(origin, answer.key as string);
}
