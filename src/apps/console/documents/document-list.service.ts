import { Injectable } from '@nestjs/common';
import { DocumentLookup } from '../../../documents/document-lookup.js';
import {
  DOCUMENT_REFERRERS,
  FIRST_REQUEST,
  LAST_REQUEST,
  type DocumentReferrer,
} from '../../../ingest/documents/document-referrers.js';
import { DocumentsService } from '../../../ingest/documents/documents.service.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import type { Run } from '../../../infrastructure/jobs/runs/runs.types.js';
import { decodeCursor, encodeCursor } from '../common/cursor.js';
import { readChoice } from '../common/parameters.js';
import { members, type ListFile, type SupplierList } from '../layout/list.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { COUNTED_MAX, type DocumentFilter, type ListedDocument } from './document-list.types.js';

/**
 * The documents of a supplier that are missing in the store or were not looked up yet: by kind, each in the order in which
 * the documents were referred to (choice F5).
 */
@Injectable()
export class DocumentListService implements SupplierList<ListedDocument, DocumentFilter> {
  readonly file: ListFile<ListedDocument> = {
    name: 'documents.csv',
    recordedAs: 'documents.download',
    ...members<ListedDocument>('state', 'externalAccountNumber', 'kind', 'path', 'namedAt'),
  };

  constructor(
    private readonly work: UnitOfWork,
    private readonly documents: DocumentsService,
    private readonly lookup: DocumentLookup,
  ) {}

  /** The missing documents by default. */
  async filterOf({ supplier: { id }, query }: SupplierRequest): Promise<DocumentFilter> {
    const state = readChoice(['missing', 'not_looked_up'], query.state) ?? 'missing';
    const counts = await this.work.queryAt(id, (tx) => this.documents.countsOf(tx, id, COUNTED_MAX + 1));
    return { state, counts };
  }

  /** The documents after a given one, one kind after the other. */
  async read(
    { supplier: { id } }: SupplierRequest,
    { state, counts: { lookedUpBefore } }: DocumentFilter,
    after: string | undefined,
    countMax: number,
  ): Promise<readonly ListedDocument[]> {
    const range =
      state === 'missing'
        ? { from: FIRST_REQUEST, before: lookedUpBefore }
        : { from: lookedUpBefore, before: LAST_REQUEST };
    const found: ListedDocument[] = [];
    for (const [referrer, key] of startingAfter(after)) {
      const { kind } = referrer;
      const rest = countMax - found.length;
      if (rest === 0) break;
      const rows = await this.work.queryAt(id, (tx) =>
        referrer.listDocumentsNotSeen(tx, id, range, key, rest),
      );
      for (const { location, ...row } of rows) {
        const isElsewhere = this.lookup.rootOf(location, row.path) === undefined;
        found.push({ ...row, state, kind, isElsewhere });
      }
    }
    return found;
  }

  positionOf({ kind, key }: ListedDocument): string {
    return `${kind}:${encodeCursor(key)}`;
  }

  /** The look-up that is running or ended within the last hour; undefined for an admin. */
  async run({ user, supplier: { code } }: SupplierRequest): Promise<Run | undefined> {
    return user.kind !== 'admin' ? this.documents.findRun(code) : undefined;
  }

  /** Begin to look the documents up. @throws CommandError while another look-up is running */
  async lookUp({ user, supplier: { code } }: SupplierRequest): Promise<void> {
    if (!(await this.documents.begin(code, user.recordedAs)))
      throw new CommandError('look_up_running', 'Nothing was started: a look-up is already running.');
  }
}

/** The kinds from that of a position on, the first one with the key after which its documents begin. */
function startingAfter(position = ''): (readonly [DocumentReferrer, readonly string[] | undefined])[] {
  const [kind, cursor] = position.split(':');
  const first = DOCUMENT_REFERRERS.findIndex((one) => one.kind === kind);
  return DOCUMENT_REFERRERS.slice(Math.max(first, 0)).map(
    (referrer) =>
      [referrer, referrer.kind === kind ? decodeCursor(referrer.keyTypes, cursor) : undefined] as const,
  );
}
