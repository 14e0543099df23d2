import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import {
  ONE_SUPPLIER,
  oneOf,
  wholeNumber,
  type CommandResult,
} from '../../infrastructure/commands/command-line.js';
import { listed, type Listing } from '../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { AccountListsService } from './account-lists.service.js';
import {
  LISTED_STATES,
  HAS_LOAD,
  type AccountListFilter,
  type ListedAccount,
} from './account-lists.types.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { AccountListsModule } from './account-lists.module.js';

interface ListOptions extends AccountListFilter {
  readonly limit?: number;
}

const ACCOUNTS: Listing<ListedAccount> = {
  json: (account) => ({
    external_account_number: account.externalAccountNumber,
    status: account.state,
    service_account_number: account.serviceAccountNumber,
    staged_at: formatDateTime(account.stagedAt),
    account_created_at: account.accountCreatedAt && formatDateTime(account.accountCreatedAt),
    requests: account.requests,
    last_request_at: account.lastRequestAt && formatDateTime(account.lastRequestAt),
    control: account.control,
    failure: account.failure,
    failed_at: account.failedAt && formatDateTime(account.failedAt),
  }),
  head: ['Number', 'State', 'Requests', 'Last stored', 'Control totals', 'Failure'],
  row: ({ externalAccountNumber, state, requests, lastRequestAt, control, failure }) => [
    ...[externalAccountNumber, inWords(state), requests, lastRequestAt ? formatDateTime(lastRequestAt) : ''],
    ...[inWords(control ?? ''), failure ?? ''],
  ],
  none: 'No account was found.',
};

function inWords(name: string): string {
  return name.replaceAll('_', ' ');
}

@SubCommand({
  name: 'list',
  description: 'list the accounts of a supplier, all or those that the options choose',
  ...ONE_SUPPLIER,
})
@Options({
  '--state <state>': { description: 'only of this state', ...oneOf(LISTED_STATES) },
  '--load <load>': {
    description: 'some: with an import request; none: imported, but without one',
    ...oneOf(HAS_LOAD),
  },
  '--differs': 'only accounts that differ from their control totals',
  '--cause <message>': 'only accounts whose import failed with this message, with … in place of each date',
  '--limit <n>': {
    description: 'only the first accounts, in the order of their numbers',
    parse: wholeNumber(),
  },
})
export class ListAccountsCommand extends OperatorCommand<[code: string], ListOptions> {
  @Inject(UnitOfWork) private readonly work: UnitOfWork;
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;
  @Inject(AccountListsService) private readonly lists: AccountListsService;

  protected async execute([code]: [string], { limit, ...filter }: ListOptions): Promise<CommandResult> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    return listed(this.lists.all(id, filter), ACCOUNTS, limit);
  }
}

export const COMMANDS = moduleCommands([ImportSuppliersModule, AccountListsModule], {
  accounts: [ListAccountsCommand],
});
