import type { Contender } from '../contenders/contender.js';
import { obtainToken, operatorCommand, type ServiceDatabase } from '../contenders/service.js';

/** A token of the platform, with a key that a command issues. */
export async function platformToken({ origin }: Contender, database: ServiceDatabase): Promise<string> {
  const words = ['platform-key', 'issue', 'bench', '--expires-in', '1d'];
  const { answer } = await operatorCommand(database, words);
  return obtainToken(origin, answer.key as string);
}
