import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { formatDateTime } from '../clock/dates.js';
import { dateTimeOf, type CommandResult } from '../commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../commands/operator-command.js';
import { printable } from '../text/printable.js';
import { AuditService } from './audit.service.js';
import type { ListedEntry } from './audit.types.js';
import { AuditModule } from './audit.module.js';

interface ListOptions {
  readonly since?: Date;
  readonly supplier?: string;
  readonly operator?: string;
  readonly views?: boolean;
}

@SubCommand({
  name: 'list',
  description: 'list what operators changed and who saw which account, newest first',
})
export class ListAuditEntriesCommand extends OperatorCommand<[], ListOptions> {
  @Inject(AuditService) private readonly audit: AuditService;

  @Option({
    flags: '--since <date-time>',
    description: 'only entries from this time on, such as 2026-11-22T00:00:00Z',
  })
  parseSince(text: string): Date {
    return dateTimeOf(text);
  }

  @Option({ flags: '--supplier <code>', description: 'only entries of this supplier and its accounts' })
  parseSupplier(text: string): string {
    return text;
  }

  @Option({ flags: '--operator <name>', description: 'only entries of this operator' })
  parseOperator(text: string): string {
    return text;
  }

  @Option({ flags: '--views', description: 'only sign-ins and views of accounts' })
  parseViews(): boolean {
    return true;
  }

  protected async execute(_args: [], options: ListOptions): Promise<CommandResult> {
    const { since, supplier: importSupplier, operator, views: isOfViews = false } = options;
    const entries = await this.audit.list({ since, importSupplier, operator, isOfViews });
    return { json: toJson(entries), text: toText(entries) };
  }
}

/** `audit …` (choice O6). */
export const COMMANDS = moduleCommands([AuditModule], { audit: [ListAuditEntriesCommand] });

async function* toJson(entries: AsyncIterable<ListedEntry>): AsyncGenerator<object> {
  for await (const { at, operator, action, subject, import_supplier, details } of entries) {
    const supplier = import_supplier !== null && { import_supplier };
    yield { at: formatDateTime(at), operator, action, subject, ...supplier, details };
  }
}

/** Widths that fit most names. The list is printed while it is read, so the longest name is not known. */
const [OPERATOR_WIDTH, ACTION_WIDTH] = [16, 20];

/** One entry a line, columns two spaces apart. */
async function* toText(entries: AsyncIterable<ListedEntry>): AsyncGenerator<string> {
  let separator = '';
  for await (const { at, operator, keyLabel, action, subject, import_supplier, details } of entries) {
    const who = keyLabel === undefined ? operator : `${operator} (${keyLabel})`;
    const supplier = import_supplier === null || import_supplier === subject ? [] : [import_supplier];
    const cells = [
      formatDateTime(at),
      who.padEnd(OPERATOR_WIDTH),
      action.padEnd(ACTION_WIDTH),
      ...supplier,
      subject,
    ];
    yield separator + printable([...cells, describe(details)].join('  ').trimEnd());
    separator = '\n';
  }
  if (separator === '') yield 'Nothing was found.';
}

/** `label: tooling, status: ongoing -> paused` */
function describe(details: object): string {
  const { from, to, ...rest } = details as { from?: object; to?: object };
  const before = new Map<string, unknown>(Object.entries(from ?? {}));
  const values = Object.entries(rest).map(([name, value]) => `${name}: ${valueText(value)}`);
  const changes = Object.entries(to ?? {}).map(
    ([name, value]) => `${name}: ${valueText(before.get(name))} -> ${valueText(value)}`,
  );
  return [...values, ...changes].join(', ');
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
