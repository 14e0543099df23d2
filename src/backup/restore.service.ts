import { createReadStream } from 'node:fs';
import { chmod, copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { x as extract } from 'tar';
import { AccountImport } from '../accounts/account-import.entity.js';
import { AuditService } from '../audit/audit.service.js';
import { NumberingService } from '../changes/numbering.service.js';
import { Organisation } from '../auth/organisation.entity.js';
import { CommandError } from '../common/command-error.js';
import { ENVIRONMENT } from '../config/config.module.js';
import {
  BACKUP_MANIFEST,
  completeRestore,
  databaseFolder,
  documentFolder,
  isRestoreComplete,
  isRestoreInPlace,
} from '../config/data-folder.js';
import type { Environment } from '../config/settings.js';
import { CommandDatabase } from '../database/command-database.js';
import { chooseUser } from '../database/embedded/run-as.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { documentBucket, documentStoreAddress } from '../documents/document-location.js';
import { ImportSupplier } from '../import-suppliers/import-supplier.entity.js';
import {
  CLUSTER_ARCHIVE,
  DOCUMENT_LIST,
  DOCUMENTS,
  PASSWORD_FILE,
  SIGNING_KEY_FILE,
  type BackupManifest,
  type Reporter,
} from './backup.types.js';
import { checksumsOf, sizeOf, verifyChecksums } from './checksums.js';
import { expectEmbedded } from './expect-embedded.js';
import { expectKnown, readManifest } from './read-manifest.js';
import { beginDraft, completeDraft, endRestore, lockedDataFolder, putInPlace } from './restore-draft.js';
import { RestoreRepository } from './restore.repository.js';
import { syncTree } from './sync-tree.js';
import { systemReason } from '../config/system-reason.js';

export interface RestoreReport {
  /** Of the backup that was restored. */
  readonly manifest: BackupManifest;
  readonly dataDir: string;
  readonly documentsRestored: number;
  readonly organisations: number;
  readonly importSuppliers: number;
  /** Staged and imported ones. */
  readonly accounts: number;
}

/** Files that get into DATA_DIR as they are. */
const COPIED = new Set([BACKUP_MANIFEST, PASSWORD_FILE, SIGNING_KEY_FILE]);

/** Puts a backup into an empty DATA_DIR. */
@Injectable()
export class RestoreService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly database: CommandDatabase,
    private readonly work: UnitOfWork,
    private readonly repository: RestoreRepository,
    private readonly audit: AuditService,
    private readonly numbering: NumberingService,
  ) {}

  /**
   * Verify a backup, put its files into DATA_DIR, and start PostgreSQL once, which recovers, and brings the schema to that of
   * this version. An interrupted restore is repeated by the same call; when all files were verified and written before the
   * interruption, they are used. Sessions and sign-in codes of the backup, which may have been ended since, end before anybody else
   * opens the database, and epochs of the feeds begin: numbers that readers have seen may be given to other changes.
   *
   * @param folder absolute path of the backup; it is only read
   * @param operator who is recorded
   * @throws CommandError `database_not_embedded`, `backup_not_usable`, `data_folder_not_empty`,
   *   `data_folder_in_use`, `restore_failed`, `interrupted`
   * Source: choices O5, O6.
   */
  async restore(folder: string, operator: string, reporter: Reporter): Promise<RestoreReport> {
    expectEmbedded(this.environment);
    const { DATA_DIR } = this.environment;
    // Before the folder is created. What is complete there needs no backup any more.
    if (!isRestoreComplete(DATA_DIR)) await expectKnown(folder, await readManifest(folder));
    // PostgreSQL may run after a restore that was killed in its last step, and has the lock then.
    if (!isRestoreInPlace(DATA_DIR)) {
      await lockedDataFolder(DATA_DIR, async () => {
        if (!isRestoreComplete(DATA_DIR)) await this.prepare(folder, reporter);
        await putInPlace(DATA_DIR);
      });
    }
    const manifest = await readManifest(completeRestore(DATA_DIR));
    const counts = await this.start(manifest, operator);
    await endRestore(DATA_DIR);
    const documentsRestored = this.restoresDocuments ? (manifest.documents_copied ?? 0) : 0;
    return { manifest, dataDir: DATA_DIR, documentsRestored, ...counts };
  }

  private get restoresDocuments(): boolean {
    return this.environment.DOCUMENT_STORE === undefined;
  }

  /** Verify the backup and write all of it under another name. */
  private async prepare(folder: string, reporter: Reporter): Promise<void> {
    const draft = await beginDraft(this.environment.DATA_DIR);
    try {
      reporter.say('Verifying the backup …');
      await verifyChecksums(folder, reporter.measure(await sizeOf(folder)), reporter.interrupted);
      reporter.say('Writing the files …');
      await this.write(folder, draft, reporter.interrupted);
      await completeDraft(this.environment.DATA_DIR);
    } catch (cause) {
      await rm(draft, { recursive: true, force: true });
      throw failureOf(cause, reporter.interrupted);
    }
  }

  /** What an operator still has to do, as sentences. */
  remaining(
    folder: string,
    { documents, documents_copied, document_store, signing_key }: BackupManifest,
  ): string[] {
    const { TOKEN_SIGNING_KEY, DATA_DIR } = this.environment;
    const store = documentBucket(documentStoreAddress(this.environment));
    const sentences: string[] = [];
    if (signing_key === 'setting' && TOKEN_SIGNING_KEY === undefined) {
      sentences.push(
        'The signing key was a setting: set TOKEN_SIGNING_KEY to the same value, or all tokens are invalid.',
      );
    }
    if (documents_copied !== null && this.environment.DOCUMENT_STORE !== undefined) {
      sentences.push(
        `The documents were not restored, because DOCUMENT_STORE is set: copy ${join(folder, DOCUMENTS)} to it.`,
      );
    }
    if (documents > 0 && documents_copied === null && this.environment.DOCUMENT_STORE === undefined) {
      sentences.push(
        `The backup has no documents: put those that ${join(folder, DOCUMENT_LIST)} lists into ${documentFolder(DATA_DIR)}.`,
      );
    }
    if (documents > 0 && store !== document_store) {
      sentences.push(
        `The documents were stored in ${document_store}, and now the store is ${store}: set DOCUMENT_STORE to the first one, or they cannot be found.`,
      );
    }
    return sentences;
  }

  private async write(folder: string, draft: string, interrupted: AbortSignal): Promise<void> {
    const { documents, documents_copied } = await readManifest(folder);
    const cluster = databaseFolder(draft);
    await mkdir(cluster, { mode: 0o700 });
    // The files belong to the user of this process, not to the one that they belonged to elsewhere.
    await pipeline(
      createReadStream(join(folder, CLUSTER_ARCHIVE)),
      extract({ cwd: cluster, strict: true, preserveOwner: false }),
      { signal: interrupted },
    );
    for await (const { name } of checksumsOf(folder)) {
      interrupted.throwIfAborted();
      const isWanted = COPIED.has(name) || (this.restoresDocuments && name.startsWith(DOCUMENTS));
      if (isWanted) await copyPrivate(join(folder, name), join(draft, name));
    }
    // The service expects the folder unless it creates the database; it refuses to start when documents are gone with it.
    if (this.restoresDocuments && (documents === 0 || documents_copied !== null)) {
      await mkdir(documentFolder(draft), { recursive: true, mode: 0o700 });
    }
    await chooseUser().own(this.environment.DATA_DIR, cluster);
    await syncTree(draft);
    interrupted.throwIfAborted();
  }

  private async start(
    manifest: BackupManifest,
    operator: string,
  ): Promise<Pick<RestoreReport, 'organisations' | 'importSuppliers' | 'accounts'>> {
    const { DATA_DIR } = this.environment;
    await this.database.open(true);
    return this.work.write(async (tx) => {
      await this.repository.endSessions(tx);
      await this.numbering.beginEpochs(tx, 'the database was restored from a backup');
      await this.audit.record(tx, {
        operator,
        action: 'database.restore',
        subject: DATA_DIR,
        details: { backup_started_at: manifest.started_at, backup_ended_at: manifest.ended_at },
      });
      return {
        organisations: await tx.count(Organisation),
        importSuppliers: await tx.count(ImportSupplier),
        accounts: await tx.count(AccountImport),
      };
    });
  }
}

async function copyPrivate(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  await chmod(to, 0o600);
}

function failureOf(cause: unknown, interrupted: AbortSignal): unknown {
  if (interrupted.aborted) {
    return new CommandError('interrupted', 'The restore was interrupted; nothing of it is left.', { cause });
  }
  if (cause instanceof CommandError || !(cause as { code?: string }).code) return cause;
  return new CommandError(
    'restore_failed',
    `The restore failed, and nothing of it is left: ${systemReason(cause)}.`,
    { cause },
  );
}
