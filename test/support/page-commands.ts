import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** What a page's commands printed, and those that failed. */
export interface PageRun {
  readonly output: string;
  readonly failed: readonly string[];
}

interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the page's addresses and folders are here. */
  readonly replaced: Readonly<Record<string, string>>;
  /** Functions that stand in for programs. */
  readonly before?: string;
  /** What is pasted when a command waits for it. */
  readonly input?: string;
}

/** The code blocks of a page in a language, in order. */
export function blocksOf(page: string, language = 'sh'): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}

/** Run commands of a page in one bash, as a reader pastes them into one terminal. */
export async function runBlocks(blocks: readonly string[], options: RunOptions): Promise<PageRun> {
  const { cwd, env, replaced, before = '', input = '' } = options;
  const commands = Object.entries(replaced).reduce(
    (script, [written, here]) => script.replaceAll(written, here),
    blocks.join('\n'),
  );
  const script = `${before}\nset -o pipefail\ntrap 'echo "FAILED: $BASH_COMMAND"' ERR\n${commands}`;
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    output: `${stdout}\n${stderr}`,
    failed: [...stdout.matchAll(/^FAILED: (.*)$/gm)].map(([, command = '']) => command),
  };
}
