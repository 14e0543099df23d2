import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { Spool } from '../../infrastructure/files/spool.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { RequestsUnderWay } from '../../infrastructure/database/requests-under-way.js';
import { RunsService } from '../../infrastructure/jobs/runs/runs.service.js';
import type { Run, RunName } from '../../infrastructure/jobs/runs/runs.types.js';
import { DocumentCountsRepository } from './document-counts.repository.js';
import type { DocumentCounts } from './document-counts.types.js';
import { DocumentLookup } from '../../documents/document-lookup.js';
import {
  DOCUMENT_REFERRERS,
  type DocumentReferrer,
  type LookedUp,
  type UnseenDocuments,
} from './document-referrers.js';
import { StorageError } from '../../documents/document-store.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';

/** A document that is not at its expected location. */
export interface MissingDocument {
  /** As it was sent, relative to the document root. */
  readonly path: string;
  readonly kind: DocumentReferrer['kind'];
  readonly externalAccountNumber: string;
}

export interface DocumentsReport {
  /** References to documents that were looked up. */
  readonly checked: number;
  /** Every missing document, in order. The caller disposes of it. */
  readonly missing: Spool<MissingDocument>;
  /** References that could not be looked up, because the document is in a store other than the configured one. */
  readonly elsewhere: number;
}

/** The report of a check that is still running. */
type GrowingReport = { -readonly [Name in keyof DocumentsReport]: DocumentsReport[Name] };

export interface CheckOptions {
  /** The name to record. */
  readonly operator: string;
  /** When it fires, the check ends after the current look-up. */
  readonly interrupted: AbortSignal;
  /** @param done the number of references checked since the last call */
  readonly onProgress: (done: number) => Promise<void> | void;
}

const checkOf = (code: string): RunName => ({ import_supplier: code, kind: 'documents' });

/** Checks which documents are missing. */
@Injectable()
export class DocumentsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly lookup: DocumentLookup,
    private readonly counts: DocumentCountsRepository,
    private readonly requests: RequestsUnderWay,
    private readonly audit: AuditService,
    private readonly runs: RunsService,
  ) {}

  /**
   * Count the missing documents of a supplier, and those that have not been looked up yet.
   *
   * @param tx at the supplier's node
   * @param countMax the most rows with documents that each count reads
   * Source: choice F5.
   */
  countsOf(tx: Tx, importSupplierId: number, countMax: number): Promise<DocumentCounts> {
    return this.counts.counts(tx, importSupplierId, countMax);
  }

  /**
   * Count the references to documents that a check would look up.
   *
   * @throws CommandError `supplier_not_found`
   */
  async countNotSeen(code: string): Promise<number> {
    const supplierId = await this.supplierId(code);
    let count = 0;
    for (const referrer of DOCUMENT_REFERRERS) {
      count += await this.work.queryAt(supplierId, (tx) => referrer.countNotSeen(tx, supplierId));
    }
    return count;
  }

  /**
   * Look up every document of a supplier that has not been seen yet. Documents that exist are recorded and not looked up again; the
   * next check looks up missing ones again. A check may be interrupted, repeated, or run concurrently. Only a completed check turns
   * "not looked up" into "missing". Each check is recorded as a run, because it changes the numbers that people see.
   *
   * @throws CommandError `supplier_not_found`; `document_store_unavailable` when the store does not answer: nothing is then
   *   reported as missing, and the documents seen so far stay recorded
   * Source: choices F3, F5, O6.
   */
  async check(code: string, options: CheckOptions): Promise<DocumentsReport> {
    const supplierId = await this.supplierId(code);
    const report = { checked: 0, missing: new Spool<MissingDocument>(), elsewhere: 0 };
    const { operator, interrupted } = options;
    const record = this.audit.runOf(code, 'documents.check', operator);
    const counts = (): object => ({ ...report, missing: report.missing.length });
    try {
      await record.begin();
      await this.lookUpAll(supplierId, options, report);
      await record.end(interrupted.aborted ? 'interrupted' : 'complete', counts());
      return report;
    } catch (error) {
      await record.fail(counts());
      report.missing.dispose();
      throw error;
    }
  }

  /**
   * Start a check in the background. If it ends early, the next check continues where it stopped.
   *
   * @param code the code of an existing supplier
   * @param operator the name to record
   * @returns false when a check of the supplier is already running; no other is then started
   * Source: choice F5.
   */
  begin(code: string, operator: string): Promise<boolean> {
    return this.runs.begin(checkOf(code), async ({ interrupted, expect, advance }) => {
      await expect(await this.countNotSeen(code));
      const onProgress = (done: number): Promise<void> => this.work.query((tx) => advance(tx, done));
      const { missing } = await this.check(code, { operator, interrupted, onProgress });
      missing.dispose();
    });
  }

  /** A supplier's background check that is running or ended within the last hour. */
  findRun(code: string): Promise<Run | undefined> {
    return this.runs.find(checkOf(code));
  }

  /** @param report updated as the check proceeds */
  private async lookUpAll(
    supplierId: number,
    { interrupted, onProgress }: CheckOptions,
    report: GrowingReport,
  ): Promise<void> {
    const first = await this.firstOfLater(supplierId, interrupted);
    for (const referrer of DOCUMENT_REFERRERS) {
      for await (const batch of this.batches(referrer, supplierId, interrupted)) {
        const answers = await this.lookUp(batch, interrupted);
        if (answers === undefined) break;
        await this.work.queryAt(supplierId, (tx) => referrer.markSeen(tx, supplierId, answers));
        for (const one of answers.missing) report.missing.add({ ...one, kind: referrer.kind });
        report.checked += answers.checked;
        report.elsewhere += answers.elsewhere;
        await onProgress(answers.checked + answers.elsewhere);
      }
    }
    if (interrupted.aborted) return;
    await this.work.queryAt(supplierId, (tx) => this.counts.setLookedUp(tx, supplierId, first));
  }

  /**
   * An id that precedes the ids of all requests whose documents this look-up may miss. Requests with an earlier id may still be
   * writing, so this waits for them.
   */
  private async firstOfLater(supplierId: number, interrupted: AbortSignal): Promise<string> {
    const id = await this.work.queryAt(supplierId, (tx) => this.counts.nextRequestId(tx));
    await this.requests.wait(supplierId, interrupted, () => undefined);
    return id;
  }

  private supplierId(code: string): Promise<number> {
    return this.work.query((tx) => this.suppliers.id(tx, code));
  }

  private async *batches(
    referrer: DocumentReferrer,
    supplierId: number,
    interrupted: AbortSignal,
  ): AsyncGenerator<UnseenDocuments[]> {
    const next = (after?: readonly string[]): Promise<UnseenDocuments[]> =>
      this.work.queryAt(supplierId, (tx) => referrer.listNotSeen(tx, supplierId, after));
    let batch = await next();
    while (!interrupted.aborted && batch.length > 0) {
      yield batch;
      batch = await next(batch.at(-1)?.key);
    }
  }

  /** @returns undefined when interrupted */
  private async lookUp(
    batch: readonly UnseenDocuments[],
    interrupted: AbortSignal,
  ): Promise<BatchAnswers | undefined> {
    const missing = new Map<string, ReadonlySet<string>>();
    try {
      for (const [root, paths] of this.pathsByRoot(batch)) {
        missing.set(root, await this.lookup.missing(root, paths, interrupted));
      }
      return this.answersOf(batch, missing);
    } catch (cause) {
      if (interrupted.aborted) return undefined;
      if (!(cause instanceof StorageError)) throw cause;
      throw new CommandError(
        'document_store_unavailable',
        `${cause.message} Nothing is reported as missing; run the command again when the store answers.`,
        { cause },
      );
    }
  }

  private pathsByRoot(batch: readonly UnseenDocuments[]): ReadonlyMap<string, readonly string[]> {
    const paths = new Map<string, string[]>();
    for (const { path, location } of batch.flatMap(({ documents }) => documents)) {
      const root = this.lookup.rootOf(location, path);
      if (root === undefined) continue;
      const found = paths.get(root);
      if (found) found.push(path);
      else paths.set(root, [path]);
    }
    return paths;
  }

  /** @param missing missing paths by document root */
  private answersOf(
    batch: readonly UnseenDocuments[],
    missing: ReadonlyMap<string, ReadonlySet<string>>,
  ): BatchAnswers {
    const answers: BatchAnswers = { checked: 0, elsewhere: 0, seen: [], done: [], missing: [] };
    let unseen: string | undefined;
    for (const { key, externalAccountNumber, documents } of batch) {
      const unseenPaths: string[] = [];
      for (const { path, location } of documents) {
        const root = this.lookup.rootOf(location, path);
        const isMissing = root !== undefined && missing.get(root)?.has(path) === true;
        if (root === undefined) answers.elsewhere += 1;
        else answers.checked += 1;
        if (isMissing) answers.missing.push({ path, externalAccountNumber });
        if (root === undefined || isMissing) unseenPaths.push(path);
      }
      if (unseenPaths.length < documents.length)
        answers.seen.push({ key, externalAccountNumber, unseenPaths });
      if (unseenPaths.length > 0) unseen = key[0];
      else if (documents.length === 0 && unseen !== key[0]) answers.done.push({ key, externalAccountNumber });
    }
    return answers;
  }
}

interface BatchAnswers extends LookedUp {
  checked: number;
  elsewhere: number;
  readonly missing: Omit<MissingDocument, 'kind'>[];
}
