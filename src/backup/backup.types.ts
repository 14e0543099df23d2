/** The part of a backup that only its manifest tells. Times are in ISO 8601, UTC. */
export interface BackupManifest {
  /** Of the folder; a build refuses formats that it does not know. */
  readonly format: typeof BACKUP_FORMAT;
  /** Version of the service that made it. */
  readonly version: string;
  /** For example `18.4`. */
  readonly postgres_version: string;
  /** Names of the migrations of the database, oldest first. */
  readonly migrations: readonly string[];
  /** Everything that was answered until then is in the backup. */
  readonly started_at: string;
  /** Nothing that was answered since then is. */
  readonly ended_at: string;
  /** The log that PostgreSQL replays when the backup is restored. */
  readonly wal: WalRange;
  /** Whether the signing key is in the backup, or was a setting (`TOKEN_SIGNING_KEY`). */
  readonly signing_key: 'file' | 'setting';
  /** The first part of the location of every document that was stored then: a folder, or `s3://` and the bucket. */
  readonly document_store: string;
  /** How many documents notes and statements name. */
  readonly documents: number;
  /** How many files of the documents' folder are in the backup; null without `--documents`. */
  readonly documents_copied: number | null;
}

/** Part of PostgreSQL's log; positions as PostgreSQL writes them, for example `0/2000028`. */
export interface WalRange {
  readonly timeline: number;
  readonly start: string;
  readonly end: string;
}

export const BACKUP_FORMAT = 1;

/** What `sha256sum --check SHA256SUMS` reads: every file of the backup but itself. */
export const CHECKSUMS = 'SHA256SUMS';
/** The files of PostgreSQL, as `pg_basebackup --format=tar --wal-method=fetch` writes them. */
export const CLUSTER_ARCHIVE = 'postgres/base.tar';
export const CLUSTER_MANIFEST = 'postgres/backup_manifest';
/** One location of a document a line, each once and in order. */
export const DOCUMENT_LIST = 'documents.txt';
/** Under it are the documents, if they were copied. */
export const DOCUMENTS = 'documents/';
/** Files of DATA_DIR without which the database cannot be used. */
export const PASSWORD_FILE = 'database-password';
export const SIGNING_KEY_FILE = 'token-signing-key';

/** How a backup or a restore tells what it does. */
export interface Reporter {
  readonly interrupted: AbortSignal;
  /** A sentence for people. */
  readonly say: (sentence: string) => void;
  /** @returns adds to the bytes that are done */
  readonly measure: (totalBytes: number) => (bytes: number) => void;
}
