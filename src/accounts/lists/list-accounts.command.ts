import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { ONE_SUPPLIER, choice, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { printable } from '../../infrastructure/text/printable.js';
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

@SubCommand({
  name: 'list',
  description: 'list the accounts of a supplier, all or those that the options choose',
  ...ONE_SUPPLIER,
})
export class ListAccountsCommand extends OperatorCommand<[code: string], AccountListFilter> {
  @Inject(UnitOfWork) private readonly work: UnitOfWork;
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;
  @Inject(AccountListsService) private readonly lists: AccountListsService;

  @Option({ flags: '--state <state>', description: `only of this state: ${LISTED_STATES.join(', ')}` })
  parseState(text: string): AccountListFilter['state'] {
    return choice(LISTED_STATES, text);
  }

  @Option({
    flags: '--load <load>',
    description: 'some: with an import request; none: imported, but without one',
  })
  parseLoad(text: string): AccountListFilter['load'] {
    return choice(HAS_LOAD, text);
  }

  @Option({ flags: '--differs', description: 'only accounts that differ from their control totals' })
  parseDiffers(): boolean {
    return true;
  }

  @Option({
    flags: '--cause <message>',
    description: 'only accounts whose import failed with this message, with … in place of each date',
  })
  parseCause(text: string): string {
    return text;
  }

  protected async execute([code]: [string], filter: AccountListFilter): Promise<CommandResult> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    const pages = this.lists.pages(id, filter);
    return { json: toJson(pages), text: toText(pages) };
  }
}

export const COMMANDS = moduleCommands([ImportSuppliersModule, AccountListsModule], {
  accounts: [ListAccountsCommand],
});

async function* toJson(pages: AsyncIterable<readonly ListedAccount[]>): AsyncGenerator<object> {
  for await (const page of pages) {
    for (const account of page) {
      yield {
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
      };
    }
  }
}

/** One account a line. */
async function* toText(pages: AsyncIterable<readonly ListedAccount[]>): AsyncGenerator<string> {
  let separator = '';
  for await (const page of pages) {
    for (const { externalAccountNumber, state, requests, control, failure } of page) {
      const cells = [externalAccountNumber, state];
      if (requests > 0) cells.push(`${requests} import ${requests === 1 ? 'request' : 'requests'}`);
      if (control !== null) cells.push(control);
      if (failure !== null) cells.push(failure);
      yield separator + printable(cells.join('  '));
      separator = '\n';
    }
  }
  if (separator === '') yield 'No account was found.';
}
