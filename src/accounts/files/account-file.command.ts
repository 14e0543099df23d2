import { WrongUsage } from '#files';
import { Injectable } from '@nestjs/common';
import { printable } from '../../infrastructure/text/printable.js';
import type { Spool } from '../../infrastructure/files/spool.js';
import { ONE_SUPPLIER, oneOf, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { FILE_FORMATS, type FileFormat } from './account-file.js';
import { openInput, placeOf, readMapping } from './input-file.js';
import type { FileRun } from './gather.js';
import type { BadLine, ReadLines } from './line-reading.js';

/** Result of a command about a file of accounts, for `--json` and for people. */
export interface FileResult {
  /** Numbers of lines by outcome, in the order in which they are printed. */
  readonly counts: Readonly<Record<string, number>>;
  readonly badLines: Spool<BadLine>;
  /** Further lists of lines, by the name of their member. */
  readonly lists?: Readonly<Record<string, Spool<object>>>;
  readonly isInterrupted: boolean;
}

/** The supplier, its file, and who runs the command. */
export type ReadFile = [code: string, read: ReadLines, run: FileRun];

interface FileOptions {
  readonly format?: FileFormat;
  readonly mapping?: string;
}

/** The arguments of commands that read a file. */
export const FILE_ARGUMENTS = {
  arguments: '<code> <file>',
  argsDescription: {
    ...ONE_SUPPLIER.argsDescription,
    file: 'NDJSON, CSV, a workbook, or FILE.zip/MEMBER, each also packed with gzip; - for NDJSON or CSV on standard input',
  },
};

/** A command that reads a file of accounts and lists its bad lines. */
@Injectable()
@Options({
  '--format <format>': { description: 'format of the file, whatever its name', ...oneOf(FILE_FORMATS) },
  '--mapping <file>': 'mapping file with an entry of the kind accounts, for other columns and forms',
})
export abstract class AccountFileCommand extends OperatorCommand<[code: string, file: string], FileOptions> {
  /** Whether the file is read more than once. */
  protected readonly isReadAgain: boolean = false;

  protected abstract apply(...file: ReadFile): Promise<FileResult>;

  protected async execute(
    [code, file]: [string, string],
    { format, mapping: path }: FileOptions,
  ): Promise<CommandResult> {
    const { context, isReadAgain } = this;
    const place = await placeOf(file, context);
    const mapped = path === undefined ? place : await this.mapped(path, place);
    const { read, close } = await openInput(file, mapped, context, { format, isReadAgain });
    try {
      const { operator, interrupted } = this.context;
      const result = await this.apply(code, read, { operator, interrupted });
      const { counts, badLines, lists = {}, isInterrupted } = result;
      if (isInterrupted)
        this.context.say('Interrupted: run the command again with the same file to complete it.');
      const summary = summaryOf({ ...counts, bad: badLines.length });
      return {
        json: {
          ...counts,
          ...Object.fromEntries(Object.entries(lists).map(([name, lines]) => [name, lines.drain()])),
          errors: badLines.drain(),
        },
        text: asText(badLines, Object.values(lists), summary),
        exitCode: badLines.length > 0 || isInterrupted ? 1 : 0,
      };
    } finally {
      close();
    }
  }

  private async mapped(
    path: string,
    place: Awaited<ReturnType<typeof placeOf>>,
  ): ReturnType<typeof readMapping> {
    try {
      return await readMapping(path, place, this.context);
    } catch (error) {
      if (!(error instanceof WrongUsage)) throw error;
      return this.refuseArgument('mapping', path, error.message);
    }
  }
}

/** For example `Changed 3, unchanged 0, bad 1.` */
function summaryOf(counts: Readonly<Record<string, number>>): string {
  const text = Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The bad lines of a file as text, then the summary. Disposes of all lists. */
async function* asText(
  badLines: Spool<BadLine>,
  lists: readonly Spool<object>[],
  summary: string,
): AsyncGenerator<string> {
  for (const lines of lists) lines.dispose();
  for await (const { line, code, detail } of badLines.drain()) {
    // The detail may repeat characters from the file.
    yield `line ${line}: ${code}: ${printable(detail)}\n`;
  }
  yield summary;
}
