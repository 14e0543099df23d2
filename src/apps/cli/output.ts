import type { CommandResult } from '../../infrastructure/commands/command-line.js';
import { printableJson, printableLines } from '../../infrastructure/text/printable.js';
import { isBrokenPipe } from '../../infrastructure/log/standard-output.js';
import type { CommandOutput } from './command-host.js';

/**
 * Print a command's result piece by piece, so that a list of any length takes constant memory. The next piece is requested only
 * once the previous one is written, because a command may remove what it has listed. A reader that ends before the end of the
 * text, such as `head`, is not an error.
 */
export async function printResult(
  stdout: CommandOutput,
  { json, text }: CommandResult,
  asJson: boolean,
): Promise<void> {
  const pieces = asJson ? jsonPieces(json) : textPieces(text, stdout.isTTY === true);
  try {
    for await (const piece of pieces) await write(stdout, asJson ? printableJson(piece) : piece);
  } catch (error) {
    if (!isBrokenPipe(error)) throw error;
  }
}

function write(stdout: CommandOutput, piece: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

async function* textPieces(text: CommandResult['text'], isTerminal: boolean): AsyncGenerator<string> {
  if (typeof text === 'string') yield printableLines(text);
  else if ('rows' in text) {
    const { drawTable } = await import('./table.js');
    yield* drawTable(text, isTerminal);
  } else for await (const piece of text) yield printableLines(piece);
  yield '\n';
}

async function* jsonPieces(json: unknown): AsyncGenerator<string> {
  if (isAsyncIterable(json)) {
    yield* listPieces(json);
    yield '\n';
    return;
  }
  const members = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  if (!members.some(([, value]) => isAsyncIterable(value))) {
    yield `${JSON.stringify(json)}\n`;
    return;
  }
  for (const [index, [name, value]] of members.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    if (isAsyncIterable(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield '}\n';
}

async function* listPieces(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let opening = '[';
  for await (const item of items) {
    yield `${opening}${JSON.stringify(item)}`;
    opening = ',';
  }
  yield opening === '[' ? '[]' : ']';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
