import { existsSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { CommandError } from '../common/command-error.js';
import { ENVIRONMENT } from '../config/config.module.js';
import { BACKUP_MANIFEST, databaseFolder } from '../config/data-folder.js';
import type { Environment } from '../config/settings.js';
import { CommandDatabase } from '../database/command-database.js';
import { appliedMigrations } from '../database/open-database.js';
import { documentBucket, documentStoreAddress } from '../documents/document-location.js';
import { BackupWriter } from './backup-writer.js';
import {
  BACKUP_FORMAT,
  CLUSTER_ARCHIVE,
  CLUSTER_MANIFEST,
  DOCUMENT_LIST,
  DOCUMENTS,
  PASSWORD_FILE,
  SIGNING_KEY_FILE,
  type BackupManifest,
  type Reporter,
} from './backup.types.js';
import { baseBackup, type BaseBackup } from './base-backup.js';
import { expectEmbedded } from './expect-embedded.js';
import { documentLocations, documentRoots, documentsIn } from './stored-documents.js';
import { systemReason } from '../config/system-reason.js';
import { VERSION } from '../config/version.js';

export interface BackupReport {
  /** Absolute path of the backup. */
  readonly folder: string;
  readonly bytes: number;
  readonly files: number;
  /** Documents that were named because they could not be copied. */
  readonly documentsNotCopied: number;
  readonly manifest: BackupManifest;
}

const NEWLINE = '\n'.charCodeAt(0);

/** Backs up what the embedded PostgreSQL of DATA_DIR holds. */
@Injectable()
export class BackupService {
  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly database: CommandDatabase,
  ) {}

  /**
   * Write a backup while the database is in use: what was answered before is in it, and of each later request everything or
   * nothing. The schema is left as it is. What fails or is interrupted leaves no folder behind.
   *
   * @param folder absolute path; it must not exist, or be empty
   * @param withDocuments also copy the documents, which must be in a folder
   * @throws CommandError `database_not_embedded`, `no_database`, `documents_not_in_a_folder`, `backup_folder_not_usable`,
   *   `backup_failed`, `interrupted`
   * Source: choice O5.
   */
  async backUp(folder: string, withDocuments: boolean, reporter: Reporter): Promise<BackupReport> {
    expectEmbedded(this.environment);
    const { DATA_DIR } = this.environment;
    if (!existsSync(databaseFolder(DATA_DIR))) {
      throw new CommandError('no_database', `There is no database in DATA_DIR ${DATA_DIR}.`);
    }
    const documents = withDocuments ? this.documentFolder() : undefined;
    await expectUsable(folder, [DATA_DIR, ...(documents === undefined ? [] : [documents])]);
    const { url } = await this.database.open();
    try {
      return await this.write(folder, url, documents, reporter);
    } catch (cause) {
      if (reporter.interrupted.aborted) {
        throw new CommandError('interrupted', 'The backup was interrupted; nothing of it is left.', {
          cause,
        });
      }
      // Of the system (no space, no right) or of PostgreSQL; any other is a defect.
      if (cause instanceof CommandError || !(cause as { code?: string }).code) throw cause;
      throw new CommandError(
        'backup_failed',
        `The backup failed, and nothing of it is left: ${systemReason(cause)}.`,
        { cause },
      );
    }
  }

  private async write(
    folder: string,
    url: string,
    documentFolder: string | undefined,
    reporter: Reporter,
  ): Promise<BackupReport> {
    const writer = await BackupWriter.for(folder);
    try {
      const startedAt = new Date();
      const migrations = await appliedMigrations(url, this.environment);
      const signingKey = await this.addSecrets(writer);
      const { postgresVersion, wal } = await this.addCluster(writer, url, reporter);
      // After the database, so that no document is missing that the database names.
      const documents = migrations.length === 0 ? 0 : await addDocumentList(writer, url, reporter);
      const roots = migrations.length === 0 ? [] : await documentRoots(url, reporter.interrupted);
      const { copied, failed } =
        documentFolder === undefined
          ? { copied: null, failed: 0 }
          : await addDocuments(writer, documentFolder, roots, reporter);
      const manifest: BackupManifest = {
        format: BACKUP_FORMAT,
        version: VERSION,
        postgres_version: postgresVersion,
        migrations,
        started_at: startedAt.toISOString(),
        ended_at: new Date().toISOString(),
        wal,
        signing_key: signingKey,
        document_store: documentBucket(documentStoreAddress(this.environment)),
        documents,
        documents_copied: copied,
      };
      await writer.add(BACKUP_MANIFEST, [`${JSON.stringify(manifest, undefined, 2)}\n`]);
      reporter.interrupted.throwIfAborted();
      await writer.publish();
      return { folder, bytes: writer.bytes, files: writer.files, documentsNotCopied: failed, manifest };
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  /** The password of the database, which the restored one has too, and the signing key of the tokens. */
  private async addSecrets(writer: BackupWriter): Promise<BackupManifest['signing_key']> {
    const { DATA_DIR, TOKEN_SIGNING_KEY } = this.environment;
    for (const name of [PASSWORD_FILE, SIGNING_KEY_FILE]) {
      // With a key in the settings there may be none in a file.
      const isAbsent = name === SIGNING_KEY_FILE && !existsSync(join(DATA_DIR, name));
      if (!isAbsent) await writer.add(name, [await readFile(join(DATA_DIR, name), 'utf8')]);
    }
    return TOKEN_SIGNING_KEY === undefined ? 'file' : 'setting';
  }

  private async addCluster(writer: BackupWriter, url: string, reporter: Reporter): Promise<BaseBackup> {
    const failure = new AbortController();
    const [archive, manifest] = [new PassThrough(), new PassThrough()];
    let onBytes: ((bytes: number) => void) | undefined;
    const onStart = (bytes: number): void => {
      onBytes = reporter.measure(bytes);
    };
    const parts = [
      baseBackup(
        url,
        { archive, manifest, onStart },
        AbortSignal.any([reporter.interrupted, failure.signal]),
      ),
      writer.add(CLUSTER_ARCHIVE, archive, (bytes) => onBytes?.(bytes)),
      writer.add(CLUSTER_MANIFEST, manifest),
    ] as const;
    try {
      const [backup] = await Promise.all(parts);
      return backup;
    } catch (error) {
      failure.abort();
      for (const stream of [archive, manifest]) stream.destroy(error as Error);
      await Promise.allSettled(parts);
      throw error;
    }
  }

  private documentFolder(): string {
    const address = documentStoreAddress(this.environment);
    if (!address.startsWith('s3:')) return fileURLToPath(address);
    throw new CommandError(
      'documents_not_in_a_folder',
      `The documents are in an object store (DOCUMENT_STORE), which has its own ways to keep them: versions of objects, or a second bucket. Without --documents the backup lists their locations in ${DOCUMENT_LIST}.`,
    );
  }
}

/** @returns how many documents are listed */
async function addDocumentList(
  writer: BackupWriter,
  url: string,
  { interrupted }: Reporter,
): Promise<number> {
  let lines = 0;
  const pieces = documentLocations(url, interrupted);
  await writer.add(
    DOCUMENT_LIST,
    Readable.from(pieces, { objectMode: false }).on('data', (piece: Buffer) => {
      for (const byte of piece) if (byte === NEWLINE) lines += 1;
    }),
  );
  return lines;
}

/** @returns how many documents were copied, and how many could not be and were named */
async function addDocuments(
  writer: BackupWriter,
  folder: string,
  roots: readonly string[],
  { interrupted, say }: Reporter,
): Promise<{ copied: number; failed: number }> {
  say('Copying the documents …');
  const counts = { copied: 0, failed: 0 };
  const links: string[] = [];
  for await (const entry of documentsIn(folder, roots)) {
    if (entry.kind === 'document') {
      // The stream closes the file.
      await writer.add(`${DOCUMENTS}${entry.key}`, entry.file.createReadStream());
      counts.copied += 1;
    } else if (entry.kind === 'failure') {
      say(`The document ${entry.name} was not copied: ${entry.reason}.`);
      counts.failed += 1;
    } else links.push(entry.name);
    interrupted.throwIfAborted();
  }
  if (links.length > 0) {
    say(
      `${links.length} symbolic links were not copied, because they lead out of the document root of a supplier or to a folder; the first is ${links[0] ?? ''}.`,
    );
  }
  return counts;
}

/**
 * Check that a backup can be written to a folder, before anything is.
 *
 * @param forbidden folders that must not contain it
 * @throws CommandError `backup_folder_not_usable`
 */
async function expectUsable(folder: string, forbidden: readonly string[]): Promise<void> {
  const refuse = (reason: string): never => {
    throw new CommandError('backup_folder_not_usable', `The folder ${folder} ${reason}.`);
  };
  const parent = await realpath(dirname(folder)).catch(() =>
    refuse('cannot be created: the folder that it would be in does not exist'),
  );
  const path = join(parent, basename(folder));
  const found = await stat(path).catch(() => undefined);
  if (found) {
    const names = await readdir(path).catch((error: unknown) =>
      refuse(`cannot be used: ${systemReason(error)}`),
    );
    if (names.length > 0) refuse('is not empty; name one that does not exist');
    // A draft beside it would be on another disk, and could not be renamed.
    if (found.dev !== (await stat(parent)).dev) refuse('is where a disk is mounted; name a folder in it');
  }
  for (const other of forbidden) {
    const outer = await realpath(other).catch(() => other);
    if (`${path}${sep}`.startsWith(`${outer}${sep}`)) {
      refuse(`is in ${outer}, which would be lost together with it; name one elsewhere`);
    }
  }
}
