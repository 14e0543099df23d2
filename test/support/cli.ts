import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { TestDatabase } from './database.js';

/** What an operator command printed, and how it ended. */
export interface CommandOutcome<Json = unknown> {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The document on standard output; nothing when it is none. */
  readonly json: Json;
}

/** Run an operator command as its own process, beside whatever uses the database. */
export async function runCommand<Json = unknown>(
  database: TestDatabase,
  ...words: string[]
): Promise<CommandOutcome<Json>> {
  const child = spawn(process.execPath, ['scripts/cli.mjs', ...words], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      TOKEN_SIGNING_KEY: 'a signing key that only the tests know',
      OPERATOR: 'tester',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const json = (words.includes('--json') ? JSON.parse(stdout) : undefined) as Json;
  return { exitCode, stdout, stderr, json };
}
