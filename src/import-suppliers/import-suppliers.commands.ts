import { Option, type Command } from 'commander';
import type { CommandResult, CommandContext, RegisterCommands } from '../common/operator-command.js';
import { table } from '../common/table.js';
import {
  DOCUMENT_CHECKS,
  SUPPLIER_STATUSES,
  type DocumentCheck,
  type SupplierStatus,
} from './import-supplier.entity.js';
import { ImportSuppliersService, type Supplier } from './import-suppliers.service.js';

interface CreateOptions {
  name: string;
  documentRoot?: string;
  organisation: string[];
}

interface SetOptions {
  status?: SupplierStatus;
  documentRoot?: string;
  documentCheck?: DocumentCheck;
  customerEmails?: 'on' | 'off';
}

/** `supplier …` (contract, section 6). */
export const registerImportSuppliersCommands: RegisterCommands = (program, action) => {
  const group = program
    .command('supplier')
    .description('import suppliers: their settings, and who may see them');

  group
    .command('create')
    .description('set up a supplier, ongoing')
    .argument('<code>', 'code of the supplier, 1 to 128 characters')
    .requiredOption('--name <name>', 'name for people')
    .option('--document-root <path>', 'folder of its documents in the store (default: the code)')
    .option(
      '--organisation <organisation>',
      'name or id of one that may see it; may be repeated',
      collect,
      [],
    )
    .action(
      action(async (session, code: string, { name, documentRoot, organisation }: CreateOptions) => {
        const suppliers = await service(session);
        return one(await suppliers.create({ code, name, documentRoot, organisations: organisation }));
      }),
    );

  group
    .command('list')
    .description('every supplier')
    .action(
      action(async (session) => {
        const all = await (await service(session)).list();
        const rows = all.map(({ code, name, status, organisations }) => [
          ...[code, name, status, organisations.join(', ')],
        ]);
        return { json: all.map(toJson), text: table(['Code', 'Name', 'Status', 'Organisations'], rows) };
      }),
    );

  group
    .command('show')
    .description('one supplier')
    .argument('<code>', 'code of the supplier')
    .action(action(async (session, code: string) => one(await (await service(session)).show(code))));

  group
    .command('set')
    .description('change a supplier’s status or settings; a change of status is recorded')
    .argument('<code>', 'code of the supplier')
    .addOption(new Option('--status <status>', 'whether accounts may migrate').choices(SUPPLIER_STATUSES))
    .option('--document-root <path>', 'folder of its documents in the store')
    .addOption(new Option('--document-check <when>', 'when documents are looked up').choices(DOCUMENT_CHECKS))
    .addOption(
      new Option('--customer-emails <switch>', 'automated e-mails on migration').choices(['on', 'off']),
    )
    .action(
      action(async (session, code: string, options: SetOptions, command: Command) => {
        const { status, documentRoot, documentCheck, customerEmails } = options;
        if ([status, documentRoot, documentCheck, customerEmails].every((value) => value === undefined)) {
          command.error('error: nothing to change: name at least one setting');
        }
        const change = {
          status,
          documentRoot,
          documentCheck,
          customerEmails: customerEmails === undefined ? undefined : customerEmails === 'on',
        };
        return one(await (await service(session)).change(code, change, session.operator));
      }),
    );

  group
    .command('grant')
    .description('let an organisation see a supplier')
    .argument('<code>', 'code of the supplier')
    .argument('<organisation>', 'name or id of the organisation')
    .action(
      action(async (session, code: string, organisation: string) =>
        one(await (await service(session)).grant(code, organisation)),
      ),
    );

  group
    .command('revoke')
    .description('hide a supplier from an organisation')
    .argument('<code>', 'code of the supplier')
    .argument('<organisation>', 'name or id of the organisation')
    .action(
      action(async (session, code: string, organisation: string) =>
        one(await (await service(session)).revoke(code, organisation)),
      ),
    );
};

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

async function service(session: CommandContext): Promise<ImportSuppliersService> {
  return (await session.services()).get(ImportSuppliersService, { strict: false });
}

function one(supplier: Supplier): CommandResult {
  const rows = [
    ['Code', supplier.code],
    ['Name', supplier.name],
    ['Status', supplier.status],
    ['Document root', supplier.documentRoot],
    ['Document check', supplier.documentCheck],
    ['Customer e-mails', supplier.customerEmails ? 'on' : 'off'],
    ['Organisations', supplier.organisations.join(', ') || 'none'],
  ];
  return { json: toJson(supplier), text: table([], rows) };
}

function toJson(supplier: Supplier): object {
  return {
    code: supplier.code,
    name: supplier.name,
    status: supplier.status,
    document_root: supplier.documentRoot,
    document_check: supplier.documentCheck,
    customer_emails: supplier.customerEmails,
    organisations: supplier.organisations,
  };
}
