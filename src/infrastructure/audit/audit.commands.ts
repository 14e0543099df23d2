import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../clock/dates.js';
import { dateTimeOf, type CommandResult } from '../commands/command-line.js';
import { listed, type Listing } from '../commands/listing.js';
import { moduleCommands, OperatorCommand } from '../commands/operator-command.js';
import { Options } from '../commands/options.js';
import { AuditService } from './audit.service.js';
import type { AuditFilter, ListedEntry } from './audit.types.js';
import { AuditModule } from './audit.module.js';

@SubCommand({
  name: 'list',
  description: 'list what operators changed and who saw which account, newest first',
})
@Options({
  '--since <date-time>': {
    description: 'only entries from this time on, such as 2026-11-22T00:00:00Z',
    parse: dateTimeOf,
  },
  '--supplier <code>': {
    description: 'only entries of this supplier and its accounts',
    name: 'importSupplier',
  },
  '--operator <name>': 'only entries of this operator',
  '--views': { description: 'only sign-ins and views of accounts', name: 'isOfViews' },
})
export class ListAuditEntriesCommand extends OperatorCommand<[], AuditFilter> {
  @Inject(AuditService) private readonly audit: AuditService;

  protected async execute(_args: [], filter: AuditFilter): Promise<CommandResult> {
    return listed(await this.audit.list(filter), ENTRIES);
  }
}

const ENTRIES: Listing<ListedEntry> = {
  json: ({ at, operator, action, subject, import_supplier, details }) => ({
    ...{ at: formatDateTime(at), operator, action, subject },
    ...(import_supplier !== null && { import_supplier }),
    details,
  }),
  head: ['Time', 'Who', 'Action', 'Supplier', 'Subject', 'Details'],
  row: ({ at, operator, keyLabel, action, subject, import_supplier, details }) => [
    formatDateTime(at),
    keyLabel === undefined ? operator : `${operator} (${keyLabel})`,
    action,
    import_supplier === subject ? '' : (import_supplier ?? ''),
    subject,
    describe(details),
  ],
  none: 'Nothing was found.',
};

/** `audit …` (choice O6). */
export const COMMANDS = moduleCommands([AuditModule], { audit: [ListAuditEntriesCommand] });

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
