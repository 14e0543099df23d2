import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { ONE_SUPPLIER, someText, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { ReadersService } from './readers.service.js';
import { ReadersModule } from './readers.module.js';

interface SupplierOptions {
  readonly supplier?: string;
}

@SubCommand({
  name: 'status',
  description: 'show the newest change of a supplier, and the readers that are behind',
  ...ONE_SUPPLIER,
})
export class FeedStatusCommand extends OperatorCommand<[code: string]> {
  @Inject(ReadersService) private readonly readers: ReadersService;

  protected async execute([code]: [string]): Promise<CommandResult> {
    const { lastSequence, epoch, epochBeganAt, epochReason, readers } = await this.readers.state(code);
    return {
      json: {
        import_supplier: code,
        sequence: lastSequence,
        epoch: { number: epoch, began_at: formatDateTime(epochBeganAt), reason: epochReason },
        readers: readers.map(({ name, platformKeyId, sequence, lagChanges, lagSeconds, askedAt }) => ({
          ...{ name, platform_key_id: platformKeyId, sequence, lag_changes: lagChanges },
          ...{ lag_seconds: Math.round(lagSeconds), asked_at: formatDateTime(askedAt) },
        })),
      },
      text: {
        head: ['Reader', 'Key', 'Processed up to', 'Changes behind', 'Seconds behind', 'Last request'],
        rows: [
          ...readers.map(({ name, platformKeyId, sequence, lagChanges, lagSeconds, askedAt }) => [
            ...[name, platformKeyId, sequence, lagChanges, Math.round(lagSeconds), formatDateTime(askedAt)],
          ]),
          [`newest change, epoch ${epoch}`, '', lastSequence, '', '', ''],
        ],
      },
    };
  }
}

/** A command about the feed of one supplier, or of all. */
abstract class FeedsCommand<
  Args extends string[],
  Options extends SupplierOptions = SupplierOptions,
> extends OperatorCommand<Args, Options> {
  @Inject(ReadersService) protected readonly readers: ReadersService;

  @Option({ flags: '--supplier <code>', description: 'only for this supplier' })
  parseSupplier(code: string): string {
    return code;
  }
}

@SubCommand({
  name: 'forget',
  description: 'forget a reader that is no longer used',
  arguments: '<reader>',
  argsDescription: { reader: 'name of the reader' },
})
export class ForgetReaderCommand extends FeedsCommand<[reader: string]> {
  protected async execute([reader]: [string], { supplier }: SupplierOptions): Promise<CommandResult> {
    const suppliers = await this.readers.forget(reader, supplier, this.context.operator);
    return { json: { reader, suppliers }, text: `Forgot the reader ${reader} of ${suppliers.join(', ')}.` };
  }
}

@SubCommand({
  name: 'new-epoch',
  description: 'start a new epoch, after numbers were lost',
})
export class NewEpochCommand extends FeedsCommand<[], SupplierOptions & { readonly reason: string }> {
  @Option({ flags: '--reason <text>', description: 'reason; recorded permanently', required: true })
  parseReason(text: string): string {
    return someText(text);
  }

  protected async execute(
    _args: [],
    { supplier, reason }: SupplierOptions & { readonly reason: string },
  ): Promise<CommandResult> {
    const suppliers = await this.readers.newEpoch(supplier, reason, this.context.operator);
    return {
      json: { suppliers, reason },
      text:
        suppliers.length === 0
          ? 'There is no import supplier.'
          : `A new epoch has begun for ${suppliers.join(', ')}: readers with an earlier cursor receive the error feed_restarted.`,
    };
  }
}

/** `feed …` (choices E3, E6 and E7). */
export const COMMANDS = moduleCommands([ReadersModule], {
  feed: [FeedStatusCommand, ForgetReaderCommand, NewEpochCommand],
});
