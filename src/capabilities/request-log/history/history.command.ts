import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import { ONE_ACCOUNT, type CommandResult } from '../../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../../infrastructure/commands/operator-command.js';
import { printable } from '../../../infrastructure/text/printable.js';
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
    const events = await this.histories.history({ importSupplier: code, externalAccountNumber: number });
    return { json: toJson(events), text: toText(events) };
  }
}

export const COMMANDS = moduleCommands([HistoryModule], { accounts: [AccountHistoryCommand] });

async function* toJson(events: AsyncIterable<AccountEvent>): AsyncGenerator<object> {
  for await (const event of events) {
    const [name, members] = printed(event);
    yield { at: formatDateTime(event.at), event: name, ...members };
  }
}

async function* toText(events: AsyncIterable<AccountEvent>): AsyncGenerator<string> {
  let end = '';
  for await (const event of events) {
    const [eventName, members] = printed(event);
    const { items, sender } = (event.event === 'request' ? event.request.details : null) ?? {};
    const known = Object.entries(members).filter(([name, value]) => value !== null && name !== 'items');
    const described = known.map(([name, value]) => {
      const text = `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`;
      return name === 'api_key_id' && sender ? `${text} (${sender.label})` : text;
    });
    // The JSON also says what was wrong with each item.
    const ids = [...(items?.at_fault ?? []).flatMap(({ id }) => id ?? []), ...(items?.others ?? [])];
    if (ids.length > 0) described.push(`items=${ids.join(',')}`);
    yield end + printable([formatDateTime(event.at), eventName, ...described].join(' '));
    end = '\n';
  }
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
