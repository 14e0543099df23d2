import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../infrastructure/audit/audit.service.js';
import { changedValues } from '../infrastructure/audit/changed-values.js';
import type { OperatorChange } from '../infrastructure/audit/audit.types.js';
import type { Caller } from '../auth/caller.js';
import { OrganisationsService } from '../auth/organisations.service.js';
import { CommandError } from '../infrastructure/errors/command-error.js';
import { durationText } from '../infrastructure/clock/duration.js';
import { isName } from '../infrastructure/text/names.js';
import { shellWord } from '../infrastructure/text/shell-word.js';
import { pathProblem } from '../infrastructure/validation/rules/document-path.js';
import { NumberingService } from '../infrastructure/change-log/numbering.service.js';
import { recordChanges } from '../infrastructure/change-log/record-changes.js';
import { supplierNotFound } from '../infrastructure/database/supplier-codes.js';
import { insertNew } from '../infrastructure/database/insert-new.js';
import { runForOne } from '../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../infrastructure/database/unit-of-work.js';
import { ImportSupplier, ImportSupplierGrant, type SupplierStatus } from './import-supplier.entity.js';
import {
  IS_CHANGE_WAITING,
  IS_GRANTED,
  LOCK_MODES,
  type SupplierLock,
  type SupplierSettings,
} from './import-suppliers.queries.js';

/** A supplier as operators see it. */
export interface Supplier extends Readonly<SupplierSettings & Pick<ImportSupplier, 'code' | 'archivedAt'>> {
  /** Names of the organisations with access to it, sorted. */
  readonly organisations: readonly string[];
}

export interface NewSupplier {
  readonly code: string;
  readonly name: string;
  /** By default the code. */
  readonly documentRoot?: string | undefined;
  /** Names or ids of organisations. */
  readonly organisations: readonly string[];
}

/** The settings to change; the others stay unchanged. */
export type SupplierChange = {
  readonly [Name in keyof SupplierSettings]?: SupplierSettings[Name] | undefined;
};

/**
 * A new code: it is the name of a folder, part of addresses, and a word of commands (choice T14). Suppliers that were created under an
 * earlier rule keep their codes.
 */
const CODE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const CODE_RULE =
  '1 to 64 letters, digits, dots, underscores and hyphens, and begins with a letter or digit';

const NAME_MAX = 256;

/** Timeout and poll interval of {@link ImportSuppliersService.letChangesPass}. */
const [PASS_MS_MAX, PASS_POLL_MS] = [1_000, 5];

/** Import suppliers. Only operators create and change them (specification 2.10, 3.2). */
@Injectable()
export class ImportSuppliersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organisations: OrganisationsService,
    private readonly audit: AuditService,
    private readonly numbering: NumberingService,
    @InjectRepository(ImportSupplier) private readonly suppliers: Repository<ImportSupplier>,
    @InjectRepository(ImportSupplierGrant) private readonly grants: Repository<ImportSupplierGrant>,
  ) {}

  /**
   * Create a supplier with the status `ongoing` and grant it to organisations, in one transaction.
   *
   * @param operator the name to record
   * @throws CommandError `supplier_exists`, `organisation_not_found`, or `invalid_supplier` with the invalid value
   * Source: choices, section 6, S1, A8, O6.
   */
  async create(
    { code, name, documentRoot, organisations }: NewSupplier,
    operator: string,
  ): Promise<Supplier> {
    if (!CODE.test(code)) throw invalid(`The code cannot be used: it has ${CODE_RULE}.`);
    expectName(name);
    const root = documentRoot ?? code;
    expectDocumentRoot(root);
    const granted = new Set<string>();
    for (const nameOrId of organisations) granted.add((await this.organisations.find(nameOrId)).id);
    return this.work.write(async (tx) => {
      const columns = { code, name, documentRoot: root };
      const inserted = await insertNew(tx.withRepository(this.suppliers), columns, 'id');
      if (!inserted)
        throw new CommandError('supplier_exists', `There is an import supplier ${code} already.`);
      const grants = [...granted].map((organisationId) => ({
        importSupplierId: inserted.id,
        organisationId,
      }));
      await tx.withRepository(this.grants).insert(grants);
      const created = await this.find(tx, code);
      const details = { ...settingsOf(created), organisations: created.organisations };
      await this.audit.record(tx, { ...changeOf(code, operator), action: 'supplier.create', details });
      return created;
    });
  }

  /** All suppliers, ordered by code. */
  async list(): Promise<Supplier[]> {
    const suppliers = await this.work.query((tx) => this.withGrants(tx));
    return suppliers.map(toSupplier);
  }

  /** Whether an organisation may use a supplier. Source: choices A8, T20. */
  async isGranted(organisationId: string, code: string): Promise<boolean> {
    const wanted = { organisation_id: organisationId, code };
    return (await this.work.query((tx) => runForOne(tx, IS_GRANTED, wanted))).is_granted;
  }

  /**
   * List the import suppliers that a caller may use, ordered by code.
   *
   * Source: choices A4, A8.
   */
  async granted({ organisationId }: Caller): Promise<Pick<Supplier, 'code' | 'name' | 'status'>[]> {
    const suppliers = await this.work.query((tx) =>
      tx
        .withRepository(this.suppliers)
        .find({ where: { grants: { organisationId } }, order: { code: 'ASC' } }),
    );
    return suppliers.map(({ code, name, status }) => ({ code, name, status }));
  }

  /** @throws CommandError `supplier_not_found` */
  show(code: string): Promise<Supplier> {
    return this.work.query((tx) => this.find(tx, code));
  }

  /**
   * Change a supplier's settings. Actual changes are recorded in the same transaction. Reopening an archived supplier also
   * unarchives it.
   *
   * @param operator the name to record
   * @throws CommandError `supplier_not_found` or `invalid_supplier`
   * Source: choices S1, O6.
   */
  async change(code: string, change: SupplierChange, operator: string): Promise<Supplier> {
    if (change.documentRoot !== undefined) expectDocumentRoot(change.documentRoot);
    if (change.name !== undefined) expectName(change.name);
    return this.work.write(async (tx) => {
      const supplier = await this.lock(tx, code);
      const settings = {
        name: change.name ?? supplier.name,
        status: change.status ?? supplier.status,
        documentRoot: change.documentRoot ?? supplier.documentRoot,
        documentCheck: change.documentCheck ?? supplier.documentCheck,
        customerEmails: change.customerEmails ?? supplier.customerEmails,
        cutOver: change.cutOver === undefined ? supplier.cutOver : change.cutOver,
        quietAfter: change.quietAfter === undefined ? supplier.quietAfter : change.quietAfter,
      };
      const details = changedValues(settingsOf(supplier), settingsOf(settings));
      if (details) {
        await this.update(tx, supplier.id, settings);
        if (settings.status !== supplier.status) await this.recordStatus(tx, supplier.id, settings.status);
        await this.audit.record(tx, { ...changeOf(code, operator), action: 'supplier.set', details });
      }
      return this.find(tx, code);
    });
  }

  /**
   * Hide a supplier whose migration is complete from lists and alerts, or show it there again. Everything else stays unchanged. The call
   * is idempotent.
   *
   * @param operator the name to record
   * @throws CommandError `supplier_not_found` or `import_supplier_not_complete`
   * Source: choices S11, O6.
   */
  archive(code: string, isArchived: boolean, operator: string): Promise<Supplier> {
    return this.work.write(async (tx) => {
      const { id, status, archivedAt } = await this.lock(tx, code);
      if (isArchived && status !== 'complete') {
        throw new CommandError(
          'import_supplier_not_complete',
          `The import supplier ${code} is ${status}; only one whose migration is complete can be archived: "data-import migration complete ${shellWord(code)}".`,
        );
      }
      if (isArchived !== (archivedAt !== null)) {
        await tx.withRepository(this.suppliers).update(id, { archivedAt: isArchived ? () => 'now()' : null });
        const action = isArchived ? 'supplier.archive' : 'supplier.unarchive';
        await this.audit.record(tx, { ...changeOf(code, operator), action });
      }
      return this.find(tx, code);
    });
  }

  /**
   * Lock a supplier, so that nobody else changes its settings before the end of the transaction. Import requests continue.
   *
   * @throws CommandError `supplier_not_found`
   */
  lock(tx: Tx, code: string): Promise<ImportSupplier> {
    return this.get(tx, code, 'change');
  }

  /** Set the status of a supplier that the transaction has locked. The caller records it in the audit log. */
  async setStatus(tx: Tx, { id }: ImportSupplier, status: SupplierStatus): Promise<void> {
    await this.update(tx, id, { status });
    await this.recordStatus(tx, id, status);
  }

  /** All changes are numbered before a supplier resumes, so that resent items come after the undo of the original ones. */
  private async recordStatus(tx: Tx, id: number, status: SupplierStatus): Promise<void> {
    if (status === 'ongoing') await this.numbering.number(tx, id);
    await recordChanges(tx, id, [{ type: 'supplier.status_changed', status }]);
  }

  /**
   * Give an organisation access to a supplier. The call is idempotent.
   *
   * @param organisation name or id
   * @param operator the name to record
   * @throws CommandError `supplier_not_found` or `organisation_not_found`
   * Source: choices A8, O6.
   */
  grant(code: string, organisation: string, operator: string): Promise<Supplier> {
    return this.setGrant('grant', code, organisation, operator);
  }

  /** Undo a {@link grant}. */
  revoke(code: string, organisation: string, operator: string): Promise<Supplier> {
    return this.setGrant('revoke', code, organisation, operator);
  }

  private async setGrant(
    change: 'grant' | 'revoke',
    code: string,
    organisation: string,
    operator: string,
  ): Promise<Supplier> {
    const { id, name } = await this.organisations.find(organisation);
    return this.work.write(async (tx) => {
      const grants = tx.withRepository(this.grants);
      const grant = { importSupplierId: await this.id(tx, code), organisationId: id };
      const isChanged =
        change === 'grant'
          ? (await insertNew(grants, grant, 'importSupplierId')) !== undefined
          : (await grants.delete(grant)).affected === 1;
      if (isChanged) {
        const details = { organisation: name };
        await this.audit.record(tx, { ...changeOf(code, operator), action: `supplier.${change}`, details });
      }
      return this.find(tx, code);
    });
  }

  /**
   * The id of a supplier with any status.
   *
   * @throws CommandError `supplier_not_found`
   */
  async id(tx: Tx, code: string): Promise<number> {
    return (await this.get(tx, code)).id;
  }

  /**
   * The id of a supplier whose accounts may be staged and imported.
   *
   * @param lock keeps the supplier ongoing until the end of the transaction
   * @throws CommandError `supplier_not_found`, or `import_supplier_migration_not_ongoing` while it is paused or complete
   * Source: specification 3.2; choice S2.
   */
  async ongoing(tx: Tx, code: string, lock?: SupplierLock): Promise<number> {
    const { id, status } = await this.get(tx, code, lock);
    if (status === 'ongoing') return id;
    throw new CommandError(
      'import_supplier_migration_not_ongoing',
      `The import supplier ${code} is ${status}; set it to ongoing to stage or import accounts.`,
    );
  }

  /**
   * The id of a supplier whose import requests may be undone.
   *
   * @param lock keeps the supplier paused until the end of the transaction
   * @throws CommandError `supplier_not_found`, or `import_supplier_not_paused`
   * Source: choice V7.
   */
  async paused(tx: Tx, code: string, lock?: SupplierLock): Promise<number> {
    const { id, status } = await this.get(tx, code, lock);
    if (status === 'paused') return id;
    throw new CommandError(
      'import_supplier_not_paused',
      `The import supplier ${code} is ${status}; pause it with "${pauseCommand(code)}".`,
    );
  }

  /**
   * Wait, for at most a second, until no supplier change is still queued for a lock that a finished transaction held. A caller that
   * locks a supplier in consecutive transactions calls this in between. Otherwise its next transaction may get the lock before a
   * waiting change.
   */
  async letChangesPass(): Promise<void> {
    const endsAtMs = performance.now() + PASS_MS_MAX;
    while (
      performance.now() < endsAtMs &&
      (await this.work.query((tx) => runForOne(tx, IS_CHANGE_WAITING, {}))).is_waiting
    ) {
      await delay(PASS_POLL_MS);
    }
  }

  private async get(tx: Tx, code: string, lock?: SupplierLock): Promise<ImportSupplier> {
    const supplier = await tx.withRepository(this.suppliers).findOne({
      where: { code },
      ...(lock && { lock: { mode: LOCK_MODES[lock] } }),
    });
    if (!supplier) throw await supplierNotFound(tx, code);
    return supplier;
  }

  private async find(tx: Tx, code: string): Promise<Supplier> {
    const [supplier] = await this.withGrants(tx, code);
    if (!supplier) throw await supplierNotFound(tx, code);
    return toSupplier(supplier);
  }

  /** Suppliers with their grants, ordered by code and by organisation name. @param code of one supplier; by default all */
  private withGrants(tx: Tx, code?: string): Promise<ImportSupplier[]> {
    return tx.withRepository(this.suppliers).find({
      ...(code !== undefined && { where: { code } }),
      relations: { grants: { organisation: true } },
      order: { code: 'ASC', grants: { organisation: { name: 'ASC' } } },
    });
  }

  private async update(tx: Tx, id: number, settings: Partial<SupplierSettings>): Promise<void> {
    // Only a complete supplier can be archived.
    const reopened = settings.status !== undefined && settings.status !== 'complete' && { archivedAt: null };
    await tx.withRepository(this.suppliers).update(id, { ...settings, ...reopened });
  }
}

/** The command that pauses a supplier. */
export function pauseCommand(code: string): string {
  return `data-import supplier set ${shellWord(code)} --status paused`;
}

function invalid(sentence: string): CommandError {
  return new CommandError('invalid_supplier', sentence);
}

function expectDocumentRoot(root: string): void {
  const problem = root === '' ? 'The path is empty.' : pathProblem(root);
  if (problem !== undefined) {
    throw invalid(`The document root ${JSON.stringify(root)} cannot be used: ${problem}`);
  }
}

function expectName(name: string): void {
  if (isName(name, NAME_MAX)) return;
  throw invalid(
    `The name cannot be used: it has 1 to ${NAME_MAX} characters, no control characters, and no space at its ends.`,
  );
}

/** The settings as they are recorded, under the names that command results use. */
export function settingsOf({
  name,
  status,
  documentRoot,
  documentCheck,
  customerEmails,
  cutOver,
  quietAfter,
}: SupplierSettings): object {
  return {
    name,
    status,
    document_root: documentRoot,
    document_check: documentCheck,
    customer_emails: customerEmails,
    cut_over: cutOver,
    quiet_after: quietAfter === null ? null : durationText(quietAfter),
  };
}

/** The members that every record of a supplier change has. */
function changeOf(
  code: string,
  operator: string,
): Pick<OperatorChange, 'operator' | 'subject' | 'importSupplier'> {
  return { operator, subject: code, importSupplier: code };
}

function toSupplier({ grants, ...supplier }: ImportSupplier): Supplier {
  const organisations = grants.map(({ organisation }) => organisation.name);
  return { ...supplier, organisations };
}
