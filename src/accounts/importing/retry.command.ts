import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { ONE_SUPPLIER, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { RetryService } from './retry.service.js';

interface RetryAccountsOptions {
  readonly all?: boolean;
}

@SubCommand({
  name: 'retry',
  description: 'set failed accounts to pending; the next import retries them',
  arguments: '<code> [external-numbers...]',
  argsDescription: {
    ...ONE_SUPPLIER.argsDescription,
    'external-numbers': 'account numbers in the supplier’s own system, unless --all',
  },
})
@Options({ '--all': 'every failed account of the supplier' })
export class RetryAccountsCommand extends OperatorCommand<
  [code: string, ...externalNumbers: string[]],
  RetryAccountsOptions
> {
  @Inject(RetryService) private readonly retries: RetryService;

  protected async execute(
    [code, ...numbers]: [string, ...string[]],
    { all = false }: RetryAccountsOptions,
  ): Promise<CommandResult> {
    if (all !== (numbers.length === 0)) {
      this.command.error('error: name the accounts to retry, or add --all and name none');
    }
    const { operator, interrupted } = this.context;
    const accounts = all ? 'all' : { numbers: [...new Set(numbers)] };
    const { pending, notFailed } = await this.retries.retry(code, accounts, { operator, interrupted });
    if (notFailed.length > 0) {
      this.context.say(`Not changed, because they are not failed: ${notFailed.join(', ')}.`);
    }
    if (interrupted.aborted) this.context.say('Interrupted: run the command again to complete it.');
    return {
      json: { pending },
      text: `Set ${pending} to pending.`,
      exitCode: notFailed.length > 0 || interrupted.aborted ? 1 : 0,
    };
  }
}
