import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { wholeNumber, type CommandResult } from '../../infrastructure/commands/command-line.js';
import { listed } from '../../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../../infrastructure/commands/operator-command.js';
import { Options } from '../../infrastructure/commands/options.js';
import { ClusterService } from './cluster.service.js';
import { DistributionService } from './distribution.service.js';
import { DistributionModule } from './distribution.module.js';

const [SHARDS_MAX, SHARDS_DEFAULT] = [1_024, 32];

@SubCommand({ name: 'distribute', description: 'distribute the tables over the nodes of a Citus cluster' })
@Options({
  '--shards <n>': {
    description: `shards of each table, 1 to ${SHARDS_MAX}, which cannot be changed later`,
    parse: wholeNumber(SHARDS_MAX),
    defaultValue: SHARDS_DEFAULT,
  },
})
export class DistributeDatabaseCommand extends OperatorCommand<[], { readonly shards: number }> {
  @Inject(DistributionService) private readonly distribution: DistributionService;

  protected async execute(_args: [], { shards }: { readonly shards: number }): Promise<CommandResult> {
    const report = await this.distribution.distribute(this.context.operator, shards, {
      onTable: (table, bytes) => {
        this.context.say(`Distributing ${table} (${megabytes(bytes)}) …`);
      },
    });
    const { distributed, nodes } = report;
    const text =
      distributed.length === 0
        ? 'The database is distributed already.'
        : `Distributed ${distributed.length} tables over ${nodes.length} nodes: ${nodes.join(', ')}.`;
    return { json: report, text };
  }
}

@SubCommand({ name: 'nodes', description: 'list the nodes of a distributed database' })
export class DatabaseNodesCommand extends OperatorCommand {
  @Inject(ClusterService) private readonly cluster: ClusterService;

  protected async execute(): Promise<CommandResult> {
    return listed(await this.cluster.nodes(), {
      json: (node) => node,
      head: ['Node', 'Role', 'Active', 'Shards', 'Size', 'Suppliers'],
      row: ({ node, role, is_active, shards, bytes, suppliers }) => [
        ...[node, role, is_active ? 'yes' : 'no', shards],
        ...[bytes === null ? 'unknown' : megabytes(bytes), suppliers.join(', ')],
      ],
    });
  }
}

@SubCommand({
  name: 'check-numbers',
  description: 'find platform account numbers that are used more than once in a distributed database',
})
export class CheckNumbersCommand extends OperatorCommand {
  @Inject(ClusterService) private readonly cluster: ClusterService;

  protected async execute(): Promise<CommandResult> {
    const repeated = await this.cluster.repeatedNumbers();
    const result = listed(repeated, {
      json: (one) => one,
      head: ['Platform account number', 'Accounts'],
      row: ({ service_account_number, accounts }) => [
        service_account_number,
        accounts.map((one) => `${one.import_supplier} ${one.external_account_number}`).join(', '),
      ],
      none: 'Every platform account number is unique.',
    });
    return { ...result, exitCode: repeated.length > 0 ? 1 : 0 };
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

export const COMMANDS = moduleCommands([DistributionModule], {
  database: [DistributeDatabaseCommand, DatabaseNodesCommand, CheckNumbersCommand],
});
