import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { ONE_SUPPLIER, REASON, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
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

const OF_SUPPLIER = { '--supplier <code>': 'only for this supplier' };

@SubCommand({
  name: 'forget',
  description: 'forget a reader that is no longer used',
  arguments: '<reader>',
  argsDescription: { reader: 'name of the reader' },
})
@Options(OF_SUPPLIER)
export class ForgetReaderCommand extends OperatorCommand<[reader: string], SupplierOptions> {
  @Inject(ReadersService) private readonly readers: ReadersService;

  protected async execute([reader]: [string], { supplier }: SupplierOptions): Promise<CommandResult> {
    const suppliers = await this.readers.forget(reader, supplier, this.context.operator);
    return { json: { reader, suppliers }, text: `Forgot the reader ${reader} of ${suppliers.join(', ')}.` };
  }
}

interface EpochOptions extends SupplierOptions {
  readonly reason: string;
}

@SubCommand({ name: 'new-epoch', description: 'start a new epoch, after numbers were lost' })
@Options({ ...OF_SUPPLIER, '--reason <text>': REASON })
export class NewEpochCommand extends OperatorCommand<[], EpochOptions> {
  @Inject(ReadersService) private readonly readers: ReadersService;

  protected async execute(_args: [], { supplier, reason }: EpochOptions): Promise<CommandResult> {
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
