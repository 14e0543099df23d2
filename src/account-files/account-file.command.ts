import { Injectable } from '@nestjs/common';
import { Option } from 'nest-commander';
import type { Spool } from '../common/spool.js';
import { choice, OperatorCommand, type CommandResult } from '../common/operator-command.js';
import { FILE_FORMATS, formatOf, readAccountFile, type FileFormat } from './account-file.js';
import { badLinesAsText } from './bad-lines.js';
import { openFile } from './file-source.js';
import type { FileRun } from './gather.js';
import type { BadLine, LineFormat, NumberedReading } from './line-reading.js';

/** What became of a file of accounts, for `--json` and for people. */
export interface FileResult {
  /** How many lines were changed, and so on; by name, in the order in which they are printed. */
  readonly counts: Readonly<Record<string, number>>;
  readonly badLines: Spool<BadLine>;
  readonly isInterrupted: boolean;
}

interface FileOptions {
  readonly format?: FileFormat;
}

/** The arguments of the commands about a file. */
export const FILE_ARGUMENTS = {
  arguments: '<code> <file>',
  argsDescription: {
    code: 'code of the supplier',
    file: 'NDJSON, or CSV when its name ends in .csv; - for standard input',
  },
};

/** A command about the accounts in a file, which lists the bad lines of the file. */
@Injectable()
export abstract class AccountFileCommand extends OperatorCommand<[code: string, file: string], FileOptions> {
  protected abstract readonly lines: LineFormat;

  @Option({
    flags: '--format <format>',
    description: 'format of the file, whatever its name',
    choices: [...FILE_FORMATS],
  })
  parseFormat(text: string): FileFormat {
    return choice(FILE_FORMATS, text);
  }

  /** @param code of the supplier @param readings of the lines of the file */
  protected abstract apply(
    code: string,
    readings: AsyncGenerator<NumberedReading[]>,
    run: FileRun,
  ): Promise<FileResult>;

  protected async execute(
    [code, file]: [string, string],
    { format = formatOf(file) }: FileOptions,
  ): Promise<CommandResult> {
    const source = await openFile(file, this.context);
    try {
      const readings = readAccountFile(format, source.chunks, this.lines);
      const { operator, interrupted } = this.context;
      const result = await this.apply(code, readings, { operator, interrupted });
      const { counts, badLines, isInterrupted } = result;
      if (isInterrupted)
        this.context.say('Interrupted: run the command again with the same file to complete it.');
      const summary = summaryOf({ ...counts, bad: badLines.length });
      return {
        json: { ...counts, errors: badLines.drain() },
        text: badLines.length === 0 ? summary : badLinesAsText(badLines, summary),
        exitCode: badLines.length > 0 || isInterrupted ? 1 : 0,
      };
    } finally {
      source.close();
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
