import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A note on an account (specification 2.3). */
@Entity('note')
export class Note {
  @PrimaryColumn({ name: 'import_supplier_id', type: 'integer' })
  importSupplierId: number;

  @PrimaryColumn({ name: 'external_account_number', type: 'text' })
  externalAccountNumber: string;

  /** Half of the SHA-256 of what makes two notes the same, computed by the database (choice N1). */
  @PrimaryColumn({
    name: 'content_hash',
    type: 'bytea',
    generatedType: 'STORED',
    asExpression: 'note_content_hash(body, document_paths)',
  })
  contentHash: Buffer;

  /** -infinity for the first note of its content; for each further one the date-time that was sent. */
  @PrimaryColumn({ name: 'key_time', type: 'timestamptz', default: '-infinity' })
  keyTime: Date | number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Whether the caller sent the date-time; otherwise it is the time of storing. */
  @Column({ name: 'created_at_sent', type: 'boolean' })
  createdAtSent: boolean;

  /** The import request that stored the note. */
  @Column({ name: 'import_request_id', type: 'uuid' })
  importRequestId: string;

  @Column({ type: 'text' })
  body: string;

  @Column({ name: 'document_paths', type: 'text', array: true, default: [] })
  documentPaths: string[];

  /** Bucket, document root and path at the time of storing, in the order of the paths (choice F1). */
  @Column({ name: 'document_locations', type: 'text', array: true, default: [] })
  documentLocations: string[];

  /** When all of the documents were seen in the store; null while one of them was not (choice F3). */
  @Column({ name: 'documents_seen_at', type: 'timestamptz', nullable: true })
  documentsSeenAt: Date | null;

  /** Which of the documents were not seen, when others were; null while none was, and when all were (choice F3). */
  @Column({ name: 'unseen_document_paths', type: 'text', array: true, nullable: true })
  unseenDocumentPaths: string[] | null;

  @Column({ name: 'is_pinned', type: 'boolean' })
  isPinned: boolean;

  @Column({ name: 'unpin_at', type: 'timestamptz', nullable: true })
  unpinAt: Date | null;
}
