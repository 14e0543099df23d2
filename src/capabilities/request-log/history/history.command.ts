import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import { ONE_ACCOUNT, type CommandResult } from '../../../infrastructure/commands/command-line.js';
import { listed, type Listing } from '../../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../../infrastructure/commands/operator-command.js';
import { AccountHistoryService } from './account-history.service.js';
import type { AccountEvent } from './account-history.types.js';
import { HistoryModule } from './history.module.js';

@SubCommand({
  name: 'history',
  description: 'list what happened to one account, oldest first',
  ...ONE_ACCOUNT,
})
export class AccountHistoryCommand extends OperatorCommand<[code: string, externalNumber: string]> {
  @Inject(AccountHistoryService) private readonly histories: AccountHistoryService;

  protected async execute([code, number]: [string, string]): Promise<CommandResult> {
    const account = { importSupplier: code, externalAccountNumber: number };
    return listed(await this.histories.history(account), EVENTS);
  }
}

export const COMMANDS = moduleCommands([HistoryModule], { accounts: [AccountHistoryCommand] });

const EVENTS: Listing<AccountEvent> = {
  json: (event) => {
    const [name, members] = printed(event);
    return { at: formatDateTime(event.at), event: name, ...members };
  },
  head: ['Time', 'Event', 'Details'],
  row: (event) => {
    const [name, members] = printed(event);
    return [formatDateTime(event.at), name, describe(event, members)];
  },
};

function describe(event: AccountEvent, members: Readonly<Record<string, unknown>>): string {
  const { items, sender } = (event.event === 'request' ? event.request.details : null) ?? {};
  const known = Object.entries(members).filter(([name, value]) => value !== null && name !== 'items');
  const described = known.map(([name, value]) => {
    const text = `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
    return name === 'api_key_id' && sender ? `${text} (${sender.label})` : text;
  });
  // The JSON also says what was wrong with each item.
  const ids = [...(items?.at_fault ?? []).flatMap(({ id }) => id ?? []), ...(items?.others ?? [])];
  return [...described, ...(ids.length > 0 ? [`items=${ids.join(',')}`] : [])].join(' ');
}

/** The name that the command gives to an event, and its additional members. */
function printed(event: AccountEvent): [name: string, members: Readonly<Record<string, unknown>>] {
  if (event.event !== 'request') return [event.event, event.members];
  const { kind, status, counts, details } = event.request;
  const request = {
    ...{ request_id: details?.requestId, trace_id: details?.traceId, api_key_id: details?.apiKeyId, kind },
  };
  if (status === null) {
    const undoneAt = details?.undoneAt ?? null;
    return ['import_request', { ...request, counts, undone_at: undoneAt && formatDateTime(undoneAt) }];
  }
  const { code, attr, fieldCode: field_code, isDryRun: dry_run, items } = details ?? {};
  return ['refusal', { ...request, status, code, attr, field_code, dry_run, items }];
}
