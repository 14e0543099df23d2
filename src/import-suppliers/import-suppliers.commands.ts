import { Inject } from '@nestjs/common';
import { Option, SubCommand } from 'nest-commander';
import { formatDateTime, isCalendarDay } from '../infrastructure/clock/dates.js';
import { durationText, parseDuration } from '../infrastructure/clock/duration.js';
import {
  InvalidOptionError,
  ONE_SUPPLIER,
  choice,
  type CommandResult,
} from '../infrastructure/commands/command-line.js';
import { moduleCommands, OperatorCommand } from '../infrastructure/commands/operator-command.js';
import {
  DOCUMENT_CHECKS,
  SUPPLIER_STATUSES,
  type DocumentCheck,
  type SupplierStatus,
} from './import-supplier.entity.js';
import { ImportSuppliersService, settingsOf, type Supplier } from './import-suppliers.service.js';
import { ImportSuppliersModule } from './import-suppliers.module.js';

/** The word for no cut-over. */
const NO_DAY = 'none';

/** The seconds that `--quiet-after` accepts. The totals know the import of accounts a week back. */
const QUIET_AFTER = { min: 60, max: 7 * 86_400 } as const;

const CODE_AND_ORGANISATION = {
  ...ONE_SUPPLIER.argsDescription,
  organisation: 'name or id of the organisation',
};

interface CreateOptions {
  readonly name: string;
  readonly documentRoot?: string;
  readonly organisation?: readonly string[];
}

@SubCommand({
  name: 'create',
  description: 'create a supplier with the status ongoing',
  arguments: '<code>',
  argsDescription: { code: 'code of the supplier, 1 to 128 characters' },
})
export class CreateSupplierCommand extends OperatorCommand<[code: string], CreateOptions> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  @Option({ flags: '--name <name>', description: 'display name', required: true })
  parseName(text: string): string {
    return text;
  }

  @Option({
    flags: '--document-root <path>',
    description: 'folder of its documents in the store (default: the code)',
  })
  parseDocumentRoot(text: string): string {
    return text;
  }

  @Option({
    flags: '--organisation <organisation>',
    description: 'name or id of an organisation with access to it; can be repeated',
  })
  parseOrganisation(text: string, earlier: readonly string[] = []): string[] {
    return [...earlier, text];
  }

  protected async execute([code]: [string], options: CreateOptions): Promise<CommandResult> {
    const { name, documentRoot, organisation: organisations = [] } = options;
    const wanted = { code, name, documentRoot, organisations };
    return toResult(await this.suppliers.create(wanted, this.context.operator));
  }
}

interface ListOptions {
  readonly archived?: boolean;
  readonly all?: boolean;
}

@SubCommand({ name: 'list', description: 'list the suppliers that are not archived' })
export class ListSuppliersCommand extends OperatorCommand<[], ListOptions> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  @Option({ flags: '--archived', description: 'list archived suppliers instead' })
  parseArchived(): boolean {
    return true;
  }

  @Option({ flags: '--all', description: 'list all suppliers' })
  parseAll(): boolean {
    return true;
  }

  protected async execute(_args: [], { archived = false, all = false }: ListOptions): Promise<CommandResult> {
    const suppliers = await this.suppliers.list();
    const listed = suppliers.filter(({ archivedAt }) => all || (archivedAt !== null) === archived);
    const rows = listed.map((supplier) => [
      ...[supplier.code, supplier.name, statusOf(supplier), supplier.organisations.join(', ')],
    ]);
    return { json: listed.map(toJson), text: { head: ['Code', 'Name', 'Status', 'Organisations'], rows } };
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

const SWITCH = ['on', 'off'] as const;

interface SetOptions {
  readonly status?: SupplierStatus;
  readonly documentRoot?: string;
  readonly documentCheck?: DocumentCheck;
  readonly customerEmails?: boolean;
  /** A day, or {@link NO_DAY}. */
  readonly cutOver?: string;
  /** In seconds; 0 for never. */
  readonly quietAfter?: number;
}

@SubCommand({
  name: 'set',
  description: 'change the status or the settings of a supplier',
  ...ONE_SUPPLIER,
})
export class SetSupplierCommand extends OperatorCommand<[code: string], SetOptions> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  @Option({
    flags: '--status <status>',
    description: 'whether accounts may be staged and imported',
    choices: [...SUPPLIER_STATUSES],
  })
  parseStatus(text: string): SupplierStatus {
    return choice(SUPPLIER_STATUSES, text);
  }

  @Option({ flags: '--document-root <path>', description: 'folder of its documents in the store' })
  parseDocumentRoot(text: string): string {
    return text;
  }

  @Option({
    flags: '--document-check <when>',
    description: 'when documents are looked up',
    choices: [...DOCUMENT_CHECKS],
  })
  parseDocumentCheck(text: string): DocumentCheck {
    return choice(DOCUMENT_CHECKS, text);
  }

  @Option({
    flags: '--customer-emails <switch>',
    description: 'automated e-mails to customers whose account is imported',
    choices: [...SWITCH],
  })
  parseCustomerEmails(text: string): boolean {
    return choice(SWITCH, text) === 'on';
  }

  @Option({
    flags: '--cut-over <day>',
    description: 'day on which its customers are taken over, YYYY-MM-DD, or none',
  })
  parseCutOver(text: string): string {
    if (text !== NO_DAY && !isCalendarDay(text))
      throw new InvalidOptionError('Expected a day in the form YYYY-MM-DD, or none.');
    return text;
  }

  @Option({
    flags: '--quiet-after <duration>',
    description: 'time without a stored row after which missing rows are a problem: 24h, 30m …, or off',
  })
  parseQuietAfter(text: string): number {
    if (text === 'off') return 0;
    const seconds = (parseDuration(text) ?? 0) / 1_000;
    if (seconds >= QUIET_AFTER.min && seconds <= QUIET_AFTER.max) return seconds;
    throw new InvalidOptionError('Expected a duration from 1m to 7d, for example 24h, or off.');
  }

  protected async execute([code]: [string], options: SetOptions): Promise<CommandResult> {
    if (Object.keys(options).length === 0) {
      this.command.error('error: nothing to change: name at least one setting');
    }
    // An option that is parsed as null becomes an empty text.
    const { cutOver, quietAfter, ...others } = options;
    const change = {
      ...others,
      ...(cutOver !== undefined && { cutOver: cutOver === NO_DAY ? null : cutOver }),
      ...(quietAfter !== undefined && { quietAfter: quietAfter === 0 ? null : quietAfter }),
    };
    return toResult(await this.suppliers.change(code, change, this.context.operator));
  }
}

@SubCommand({
  name: 'archive',
  description: 'archive a supplier whose migration is complete: hide it from lists and alerts',
  ...ONE_SUPPLIER,
})
export class ArchiveSupplierCommand extends OperatorCommand<[code: string], { readonly undo?: boolean }> {
  @Inject(ImportSuppliersService) private readonly suppliers: ImportSuppliersService;

  @Option({ flags: '--undo', description: 'show it in lists and alerts again' })
  parseUndo(): boolean {
    return true;
  }

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

function toResult(supplier: Supplier): CommandResult {
  const rows = [
    ['Code', supplier.code],
    ['Name', supplier.name],
    ['Status', statusOf(supplier)],
    ['Document root', supplier.documentRoot],
    ['Document check', supplier.documentCheck],
    ['Customer e-mails', supplier.customerEmails ? 'on' : 'off'],
    ['Cut-over', supplier.cutOver ?? 'none'],
    ['Quiet after', supplier.quietAfter === null ? 'off' : durationText(supplier.quietAfter)],
    ['Organisations', supplier.organisations.join(', ') || 'none'],
  ];
  return { json: toJson(supplier), text: { head: [], rows } };
}

function statusOf({ status, archivedAt }: Supplier): string {
  return archivedAt ? `${status}, archived ${formatDateTime(archivedAt)}` : status;
}

function toJson(supplier: Supplier): object {
  const { code, name, organisations, archivedAt } = supplier;
  const archived = archivedAt && { archived_at: formatDateTime(archivedAt) };
  return { code, name, ...settingsOf(supplier), ...archived, organisations };
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
