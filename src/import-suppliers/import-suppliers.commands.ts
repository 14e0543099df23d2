import { Inject } from '@nestjs/common';
import { SubCommand } from 'nest-commander';
import { formatDateTime, isCalendarDay } from '../infrastructure/clock/dates.js';
import { durationText, parseDuration } from '../infrastructure/clock/duration.js';
import {
  InvalidOptionError,
  ONE_SUPPLIER,
  oneOf,
  type CommandResult,
} from '../infrastructure/commands/command-line.js';
import { listed } from '../infrastructure/commands/listing.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import { Options } from '../infrastructure/commands/options.js';
import { DOCUMENT_CHECKS, SUPPLIER_STATUSES } from './import-supplier.entity.js';
import {
  CODE_RULE,
  ImportSuppliersService,
  settingsOf,
  type Supplier,
  type SupplierChange,
} from './import-suppliers.service.js';
import { ImportSuppliersModule } from './import-suppliers.module.js';

/** The words for no cut-over and for no limit of quiet. */
const [NO_DAY, NEVER] = ['none', 'off'] as const;

/** The seconds that `--quiet-after` accepts. The totals know the import of accounts a week back. */
const QUIET_AFTER = { min: 60, max: 7 * 86_400 } as const;

const CODE_AND_ORGANISATION = {
  ...ONE_SUPPLIER.argsDescription,
  organisation: 'name or id of the organisation',
};

const SWITCH = oneOf(['on', 'off']);

interface CreateOptions {
  readonly name: string;
  readonly documentRoot?: string;
  readonly organisations?: readonly string[];
}

@SubCommand({
  name: 'create',
  description: 'create a supplier with the status ongoing',
  arguments: '<code>',
  argsDescription: { code: `code of the supplier, which has ${CODE_RULE}` },
})
@Options({
  '--name <name>': { description: 'display name', required: true },
  '--document-root <path>': 'folder of its documents in the store (default: the code)',
  '--organisation <organisation>': {
    description: 'name or id of an organisation with access to it; can be repeated',
    parse: (text, earlier = []) => [...(earlier as string[]), text],
    name: 'organisations',
  },
})
export class CreateSupplierCommand extends OperatorCommand<[code: string], CreateOptions> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute([code]: [string], options: CreateOptions): Promise<CommandResult> {
    const wanted = { code, organisations: [], ...options };
    return toResult(await this.suppliers.create(wanted, this.context.operator));
  }
}

interface ListOptions {
  readonly archived?: boolean;
  readonly all?: boolean;
}

@SubCommand({ name: 'list', description: 'list the suppliers that are not archived' })
@Options({ '--archived': 'list archived suppliers instead', '--all': 'list all suppliers' })
export class ListSuppliersCommand extends OperatorCommand<[], ListOptions> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute(_args: [], { archived = false, all = false }: ListOptions): Promise<CommandResult> {
    const suppliers = await this.suppliers.list();
    const chosen = suppliers.filter(({ archivedAt }) => all || (archivedAt !== null) === archived);
    return listed(chosen, {
      json: toJson,
      head: ['Code', 'Name', 'Status', 'Organisations'],
      row: (supplier) => [
        ...[supplier.code, supplier.name, statusOf(supplier), supplier.organisations.join(', ')],
      ],
    });
  }
}

@SubCommand({
  name: 'show',
  description: 'show one supplier',
  ...ONE_SUPPLIER,
})
export class ShowSupplierCommand extends OperatorCommand<[code: string]> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute([code]: [string]): Promise<CommandResult> {
    return toResult(await this.suppliers.show(code));
  }
}

interface SetOptions extends Omit<SupplierChange, 'cutOver' | 'quietAfter'> {
  readonly cutOver?: string;
  readonly quietAfter?: number | typeof NEVER;
}

@SubCommand({
  name: 'set',
  description: 'change the name, the status or the settings of a supplier',
  ...ONE_SUPPLIER,
})
@Options({
  '--name <name>': 'display name',
  '--status <status>': {
    description: 'whether accounts may be staged and imported',
    ...oneOf(SUPPLIER_STATUSES),
  },
  '--document-root <path>': 'folder of its documents in the store',
  '--document-check <when>': { description: 'when documents are looked up', ...oneOf(DOCUMENT_CHECKS) },
  '--customer-emails <switch>': {
    description: 'automated e-mails to customers whose account is imported',
    ...SWITCH,
    parse: (text) => SWITCH.parse(text) === 'on',
  },
  '--cut-over <day>': {
    description: 'day on which its customers are taken over, YYYY-MM-DD, or none',
    parse: parseCutOver,
  },
  '--quiet-after <duration>': {
    description: 'time without a stored row after which missing rows are a problem: 24h, 30m …, or off',
    parse: parseQuietAfter,
  },
})
export class SetSupplierCommand extends OperatorCommand<[code: string], SetOptions> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute([code]: [string], options: SetOptions): Promise<CommandResult> {
    if (Object.keys(options).length === 0) {
      this.command.error('error: nothing to change: name at least one setting');
    }
    const { cutOver, quietAfter } = options;
    const change: SupplierChange = {
      ...options,
      cutOver: cutOver === NO_DAY ? null : cutOver,
      quietAfter: quietAfter === NEVER ? null : quietAfter,
    };
    return toResult(await this.suppliers.change(code, change, this.context.operator));
  }
}

@SubCommand({
  name: 'archive',
  description: 'archive a supplier whose migration is complete: hide it from lists and alerts',
  ...ONE_SUPPLIER,
})
@Options({ '--undo': 'show it in lists and alerts again' })
export class ArchiveSupplierCommand extends OperatorCommand<[code: string], { readonly undo?: boolean }> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute([code]: [string], { undo = false }: { undo?: boolean }): Promise<CommandResult> {
    return toResult(await this.suppliers.archive(code, !undo, this.context.operator));
  }
}

@SubCommand({
  name: 'grant',
  description: 'give an organisation access to a supplier',
  arguments: '<code> <organisation>',
  argsDescription: CODE_AND_ORGANISATION,
})
export class GrantSupplierCommand extends OperatorCommand<[code: string, organisation: string]> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute([code, organisation]: [string, string]): Promise<CommandResult> {
    return toResult(await this.suppliers.grant(code, organisation, this.context.operator));
  }
}

@SubCommand({
  name: 'revoke',
  description: 'remove an organisation’s access to a supplier',
  arguments: '<code> <organisation>',
  argsDescription: CODE_AND_ORGANISATION,
})
export class RevokeSupplierCommand extends OperatorCommand<[code: string, organisation: string]> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  protected async execute([code, organisation]: [string, string]): Promise<CommandResult> {
    return toResult(await this.suppliers.revoke(code, organisation, this.context.operator));
  }
}

/** @throws InvalidOptionError */
function parseCutOver(text: string): string {
  if (text === NO_DAY || isCalendarDay(text)) return text;
  throw new InvalidOptionError('Expected a day in the form YYYY-MM-DD, or none.');
}

/** @throws InvalidOptionError */
function parseQuietAfter(text: string): number | typeof NEVER {
  if (text === NEVER) return text;
  const seconds = (parseDuration(text) ?? 0) / 1_000;
  if (seconds >= QUIET_AFTER.min && seconds <= QUIET_AFTER.max) return seconds;
  throw new InvalidOptionError('Expected a duration from 1m to 7d, for example 24h, or off.');
}

function toResult(supplier: Supplier): CommandResult {
  const rows = [
    ['Code', supplier.code],
    ['Name', supplier.name],
    ['Status', statusOf(supplier)],
    ['Document root', supplier.documentRoot],
    ['Document check', supplier.documentCheck],
    ['Customer e-mails', supplier.customerEmails ? 'on' : 'off'],
    ['Cut-over', supplier.cutOver ?? NO_DAY],
    ['Quiet after', supplier.quietAfter === null ? NEVER : durationText(supplier.quietAfter)],
    ['Organisations', supplier.organisations.join(', ') || 'none'],
  ];
  return { json: toJson(supplier), text: { head: [], rows } };
}

function statusOf({ status, archivedAt }: Supplier): string {
  return archivedAt ? `${status}, archived ${formatDateTime(archivedAt)}` : status;
}

function toJson(supplier: Supplier): object {
  const { code, organisations, archivedAt } = supplier;
  const archived = archivedAt && { archived_at: formatDateTime(archivedAt) };
  return { code, ...settingsOf(supplier), ...archived, organisations };
}

export const COMMANDS = moduleCommands([ImportSuppliersModule], {
  supplier: [
    CreateSupplierCommand,
    ListSuppliersCommand,
    ShowSupplierCommand,
    SetSupplierCommand,
    GrantSupplierCommand,
    RevokeSupplierCommand,
    ArchiveSupplierCommand,
  ],
});
