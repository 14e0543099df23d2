import { Inject, Injectable } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import {
  ONE_ACCOUNT,
  ONE_SUPPLIER,
  REASON_OF_REMOVAL,
  type CommandResult,
} from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { printable } from '../../infrastructure/text/printable.js';
import { ErasureService } from './erasure.service.js';
import type { Erasure } from './erasure.types.js';
import { ErasureModule } from './erasure.module.js';

interface EraseOptions {
  readonly reason: string;
}

interface EraseSupplierOptions extends EraseOptions {
  readonly yes?: boolean;
}

@Injectable()
@Options({ '--reason <text>': REASON_OF_REMOVAL })
abstract class EraseCommand<Arguments extends string[], Options extends EraseOptions> extends OperatorCommand<
  Arguments,
  Options
> {
  @Inject(ErasureService) private readonly erasures: ErasureService;

  protected begin(
    importSupplier: string,
    externalAccountNumber: string | null,
    reason: string,
  ): Promise<Erasure> {
    return this.erasures.begin({
      importSupplier,
      externalAccountNumber,
      reason,
      operator: this.context.operator,
      interrupted: this.context.interrupted,
      onLongWait: () => {
        this.context.say('Waiting for transactions that began before the erasure …');
      },
    });
  }

  /** @param head members before the documents; @param erased counts of what was removed, read after the documents */
  protected toResult(erasure: Erasure, head: object, erased: () => Record<string, number>): CommandResult {
    const documents = this.documentsOf(erasure);
    return {
      json: { ...head, documents, erased: { toJSON: erased } },
      text: textOf(documents, erased),
      get exitCode() {
        return erasure.isComplete ? 0 : 1;
      },
    };
  }

  private async *documentsOf(erasure: Erasure): AsyncGenerator<string> {
    try {
      yield* erasure.documents;
    } finally {
      if (!erasure.isComplete) this.context.say('Not complete: run the command again to erase the rest.');
    }
  }
}

@SubCommand({
  name: 'erase',
  description: 'erase everything that is stored for an account, and list the documents that it referred to',
  ...ONE_ACCOUNT,
})
export class EraseAccountCommand extends EraseCommand<[code: string, externalNumber: string], EraseOptions> {
  protected async execute([code, number]: [string, string], options: EraseOptions): Promise<CommandResult> {
    const erasure = await this.begin(code, number, options.reason);
    return this.toResult(erasure, { import_supplier: code, external_account_number: number }, () => ({
      ...erasure.state.rows,
    }));
  }
}

@SubCommand({
  name: 'erase',
  description: 'erase all accounts of a supplier and everything that is stored for them',
  ...ONE_SUPPLIER,
})
@Options({ '--yes': 'confirm that all accounts are erased' })
export class EraseSupplierCommand extends EraseCommand<[code: string], EraseSupplierOptions> {
  protected async execute([code]: [string], { reason, yes }: EraseSupplierOptions): Promise<CommandResult> {
    if (yes !== true) {
      this.command.error(
        `error: this erases every account of ${code} with its notes, transactions, statements and payment instructions; add --yes to confirm it`,
      );
    }
    const erasure = await this.begin(code, null, reason);
    return this.toResult(erasure, { import_supplier: code }, () => ({
      accounts: erasure.state.accounts,
      ...erasure.state.rows,
    }));
  }
}

export const COMMANDS = moduleCommands([ErasureModule], {
  supplier: [EraseSupplierCommand],
  accounts: [EraseAccountCommand],
});

async function* textOf(
  documents: AsyncIterable<string>,
  erased: () => Record<string, number>,
): AsyncGenerator<string> {
  for await (const location of documents) yield `${printable(location)}\n`;
  const counts = Object.entries(erased()).map(([kind, count]) => `${kind.replaceAll('_', ' ')} ${count}`);
  yield `Erased: ${counts.join(', ')}.`;
}
