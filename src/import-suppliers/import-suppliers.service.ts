import { Injectable } from '@nestjs/common';
import { OrganisationsService, type OrganisationSummary } from '../auth/organisations.service.js';
import { CommandError } from '../common/command-error.js';
import { identifier, NO_CONTEXT, pathProblem, text, type FieldRule } from '../common/validation/rules.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import type { DocumentCheck, SupplierStatus } from './import-supplier.entity.js';
import { ImportSuppliersRepository, type SupplierRow } from './import-suppliers.repository.js';

/** A supplier as an operator sees it. */
export interface Supplier {
  readonly code: string;
  readonly name: string;
  readonly status: SupplierStatus;
  /** Folder of its documents inside the bucket (specification 2.9). */
  readonly documentRoot: string;
  readonly documentCheck: DocumentCheck;
  /** Whether customers get automated e-mails on migration (specification 1). */
  readonly customerEmails: boolean;
  /** Names of the organisations that may see it, in their order. */
  readonly organisations: readonly string[];
}

export interface NewSupplier {
  readonly code: string;
  readonly name: string;
  /** Without one the code is the root, when it can be. */
  readonly documentRoot?: string | undefined;
  /** Names or ids. */
  readonly organisations: readonly string[];
}

/** What to change about a supplier; what is not named stays. */
export interface SupplierChange {
  readonly status?: SupplierStatus | undefined;
  readonly documentRoot?: string | undefined;
  readonly documentCheck?: DocumentCheck | undefined;
  readonly customerEmails?: boolean | undefined;
}

const NAME: FieldRule = text({ max: 256 });

/** Import suppliers, set up by the operator only (specification 2.10, 3.2). */
@Injectable()
export class ImportSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: ImportSuppliersRepository,
    private readonly organisations: OrganisationsService,
  ) {}

  /**
   * Set up a supplier, `ongoing`, and grant it to organisations; all of it or nothing.
   *
   * @throws CommandError `supplier_exists`, `organisation_not_found`, or `invalid_supplier` naming the value that is wrong
   * Source: contract section 6, S1, A8.
   */
  async create({ code, name, documentRoot, organisations }: NewSupplier): Promise<Supplier> {
    expectText(identifier, code, 'code');
    expectText(NAME, name, 'name');
    const root = documentRoot ?? rootFor(code);
    expectDocumentRoot(root);
    const granted = await this.findAll(organisations);
    return this.work.write(async (tx) => {
      const id = await this.repository.insert(tx, code, name, root);
      if (id === undefined)
        throw new CommandError('supplier_exists', `There is an import supplier ${code} already.`);
      for (const organisation of granted) await this.repository.grant(tx, id, organisation.id);
      return this.find(tx, code);
    });
  }

  /** All suppliers, in the order of their codes. */
  async list(): Promise<Supplier[]> {
    const rows = await this.work.single((tx) => this.repository.list(tx));
    return rows.map(toSupplier);
  }

  /** @throws CommandError `supplier_not_found` */
  show(code: string): Promise<Supplier> {
    return this.work.single((tx) => this.find(tx, code));
  }

  /**
   * Change a supplier's status or settings. A new status is recorded with the change: who, when, from, to; the status
   * it has already is no change.
   *
   * @param operator who is recorded
   * @throws CommandError `supplier_not_found` or `invalid_supplier`
   * Source: contract S1.
   */
  async change(code: string, change: SupplierChange, operator: string): Promise<Supplier> {
    if (change.documentRoot !== undefined) expectDocumentRoot(change.documentRoot);
    const columns = {
      status: change.status ?? null,
      documentRoot: change.documentRoot ?? null,
      documentCheck: change.documentCheck ?? null,
      customerEmails: change.customerEmails ?? null,
    };
    return this.work.write(async (tx) => {
      if (!(await this.repository.change(tx, code, columns, operator))) throw notFound(code);
      return this.find(tx, code);
    });
  }

  /**
   * Let an organisation see a supplier; once is enough.
   *
   * @param organisation name or id
   * @throws CommandError `supplier_not_found` or `organisation_not_found`
   * Source: contract A8.
   */
  async grant(code: string, organisation: string): Promise<Supplier> {
    const { id: organisationId } = await this.organisations.find(organisation);
    return this.work.write(async (tx) => {
      await this.repository.grant(tx, await this.id(tx, code), organisationId);
      return this.find(tx, code);
    });
  }

  /** The opposite of {@link grant}. */
  async revoke(code: string, organisation: string): Promise<Supplier> {
    const { id: organisationId } = await this.organisations.find(organisation);
    return this.work.write(async (tx) => {
      await this.repository.revoke(tx, await this.id(tx, code), organisationId);
      return this.find(tx, code);
    });
  }

  /** @throws CommandError `supplier_not_found` */
  async id(tx: Tx, code: string): Promise<number> {
    const found = await this.repository.findStatus(tx, code);
    if (!found) throw notFound(code);
    return found.id;
  }

  /**
   * A supplier that takes accounts.
   *
   * @returns its id
   * @throws CommandError `supplier_not_found`, or `import_supplier_migration_not_ongoing` while it is paused or complete
   * Source: specification 3.2; contract S2.
   */
  async ongoing(tx: Tx, code: string): Promise<number> {
    return expectOngoing(code, await this.repository.findStatus(tx, code));
  }

  /** As {@link ongoing}; and until the transaction ends whoever else asks in this way waits. */
  async lockOngoing(tx: Tx, code: string): Promise<number> {
    return expectOngoing(code, await this.repository.lock(tx, code));
  }

  private async findAll(namesOrIds: readonly string[]): Promise<OrganisationSummary[]> {
    const found: OrganisationSummary[] = [];
    for (const nameOrId of namesOrIds) found.push(await this.organisations.find(nameOrId));
    return found;
  }

  private async find(tx: Tx, code: string): Promise<Supplier> {
    const [row] = await this.repository.list(tx, code);
    if (!row) throw notFound(code);
    return toSupplier(row);
  }
}

function notFound(code: string): CommandError {
  return new CommandError('supplier_not_found', `There is no import supplier with the code ${code}.`);
}

function expectOngoing(code: string, found: { id: number; status: SupplierStatus } | undefined): number {
  if (!found) throw notFound(code);
  if (found.status === 'ongoing') return found.id;
  throw new CommandError(
    'import_supplier_migration_not_ongoing',
    `The import supplier ${code} is ${found.status}; set it to ongoing to stage or import accounts.`,
  );
}

function rootFor(code: string): string {
  if (pathProblem(code) === undefined) return code;
  throw new CommandError(
    'invalid_supplier',
    `The code ${JSON.stringify(code)} cannot be a folder’s name as well; name the folder with --document-root.`,
  );
}

function expectDocumentRoot(root: string): void {
  const problem = root === '' ? 'The path is empty.' : pathProblem(root);
  if (problem !== undefined) {
    throw new CommandError(
      'invalid_supplier',
      `The document root ${JSON.stringify(root)} cannot be used: ${problem}`,
    );
  }
}

function expectText(rule: FieldRule, value: string, what: string): void {
  const violation = rule.violation(value, NO_CONTEXT);
  if (violation) {
    throw new CommandError(
      'invalid_supplier',
      `The ${what} cannot be used: ${violation.detail ?? 'it is empty.'}`,
    );
  }
}

function toSupplier(row: SupplierRow): Supplier {
  return {
    code: row.code,
    name: row.name,
    status: row.status,
    documentRoot: row.document_root,
    documentCheck: row.document_check,
    customerEmails: row.customer_emails,
    organisations: row.organisations,
  };
}
