import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { readAccountFile } from '../../accounts/files/account-file.js';
import type { ReadLines } from '../../accounts/files/line-reading.js';
import { ImportingService } from '../../accounts/importing/importing.service.js';
import { StagingService } from '../../accounts/staging/staging.service.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { OrganisationsService, type OrganisationSummary } from '../../auth/organisations.service.js';
import { Clock } from '../../infrastructure/clock/clock.js';
import { ImportSuppliersService, type Supplier } from '../../import-suppliers/import-suppliers.service.js';

const ORGANISATION = 'Demo Energy';
export const SUPPLIER = 'DEMO';
export const SUPPLIER_NAME = 'Demonstration supplier';

/** Recorded with everything that the setup does. */
const OPERATOR = 'demonstration';

/** Lifetime of the key that is printed: a week. */
const KEY_TTL_MS = 7 * 86_400_000;

/** The accounts that are imported, and the one that stays pending. */
const ACCOUNTS = ['1001', '1002', '1003', '1004'];
const PENDING_ACCOUNT = '1005';
/** Early enough for the dates of every file that the documentation loads. */
const OPEN_STATEMENT_FROM = '2025-01-01';

export interface Demonstration {
  readonly organisation: string;
  readonly supplier: string;
  /** Its key, when it was created now. */
  readonly issued?: { readonly key: string; readonly expiresAt: Date };
}

/** Creates the demonstration: an organisation with a key, the supplier DEMO, and a few accounts. */
@Injectable()
export class DemonstrationSetupService {
  constructor(
    private readonly organisations: OrganisationsService,
    private readonly keys: ApiKeysService,
    private readonly suppliers: ImportSuppliersService,
    private readonly staging: StagingService,
    private readonly importing: ImportingService,
    private readonly clock: Clock,
  ) {}

  /**
   * Create the demonstration in an empty database.
   *
   * Every step can be repeated, and the key is created last: a demonstration without a key was interrupted, and the next
   * call finishes it. A demonstration that was removed keeps its revoked key, and so is not created again.
   *
   * @returns undefined when the database holds anything else
   * Source: choices, section 6.
   */
  async create(): Promise<Demonstration | undefined> {
    const existing = await this.organisations.list();
    const existingSuppliers = await this.suppliers.list();
    if (!existing.every(isDemonstration) || !existingSuppliers.every(isDemonstrationSupplier))
      return undefined;
    const { id } = existing[0] ?? (await this.organisations.create(ORGANISATION, OPERATOR));
    const demonstration = { organisation: ORGANISATION, supplier: SUPPLIER };
    if ((await this.keys.list(id)).length > 0) return demonstration;
    if (existingSuppliers.length === 0) {
      await this.suppliers.create({ code: SUPPLIER, name: SUPPLIER_NAME, organisations: [id] }, OPERATOR);
    }
    // No more than these: the pending account, whose number is the last one, may be staged already.
    const limit = await this.stage(ACCOUNTS);
    await this.importing.import(SUPPLIER, {
      operator: OPERATOR,
      limit,
      concurrency: 1,
      interrupted: new AbortController().signal,
      onProgress: () => undefined,
    });
    await this.stage([PENDING_ACCOUNT]);
    // In whole seconds, in which the expiry is published.
    const expiresAt = new Date(this.clock.now().setMilliseconds(0) + KEY_TTL_MS);
    const { key } = await this.keys.issue(id, { label: 'demonstration', expiresAt }, OPERATOR);
    return { ...demonstration, issued: { key, expiresAt } };
  }

  /** @returns how many of them are pending now */
  private async stage(numbers: readonly string[]): Promise<number> {
    const period = { open_statement_from: OPEN_STATEMENT_FROM };
    const lines = numbers.map((number) => JSON.stringify({ external_account_number: number, ...period }));
    const read: ReadLines = (format) =>
      readAccountFile(
        'ndjson',
        { name: 'lines', bytes: Readable.from([Buffer.from(lines.join('\n'))]) },
        format,
      );
    const { staged, replaced, badLines } = await this.staging.stage(SUPPLIER, read, {
      operator: OPERATOR,
      interrupted: new AbortController().signal,
    });
    badLines.dispose();
    return staged + replaced;
  }
}

/** Whether an organisation is the demonstration's. */
export function isDemonstration({ name }: OrganisationSummary): boolean {
  return name === ORGANISATION;
}

/** The code is not enough: an operator may have created a supplier with the same code. */
function isDemonstrationSupplier({ code, organisations }: Supplier): boolean {
  return code === SUPPLIER && organisations.includes(ORGANISATION);
}
