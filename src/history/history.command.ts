import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../common/dates.js';
import { OperatorCommand, type CommandResult } from '../common/operator-command.js';
import { printable } from '../common/printable.js';
import { AccountHistoryService } from './account-history.service.js';
import type { AccountEvent } from './account-history.types.js';

@SubCommand({
  name: 'history',
  description: 'list what happened to one account, oldest first',
  arguments: '<code> <external-number>',
  argsDescription: {
    code: 'code of the supplier',
    'external-number': 'account number in the supplier’s own system',
  },
})
export class AccountHistoryCommand extends OperatorCommand<[code: string, externalNumber: string]> {
  constructor(private readonly histories: AccountHistoryService) {
    super();
  }

  protected async execute([code, number]: [string, string]): Promise<CommandResult> {
    const events = await this.histories.history({ importSupplier: code, externalAccountNumber: number });
    return { json: toJson(events), text: toText(events) };
  }
}

async function* toJson(events: AsyncIterable<AccountEvent>): AsyncGenerator<object> {
  for await (const { at, event, members } of events) yield { at: formatDateTime(at), event, ...members };
}

async function* toText(events: AsyncIterable<AccountEvent>): AsyncGenerator<string> {
  let end = '';
  for await (const { at, event, members } of events) {
    const known = Object.entries(members).filter(([, value]) => value !== null);
    const described = known.map(
      ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
    yield end + printable([formatDateTime(at), event, ...described].join(' '));
    end = '\n';
  }
}
