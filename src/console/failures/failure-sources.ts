import type { UnitOfWork } from '../../database/unit-of-work.js';
import type { RefusalCursor } from '../../sent-requests/refusals.types.js';
import type { RequestReader } from '../../sent-requests/request-reader.js';
import { ANOTHER_ORGANISATION } from '../common/another-organisation.js';
import type { FailedImportRow, FailedImportsRepository } from './failed-imports.repository.js';
import type { FailureRecord, FailureSource } from './failures.types.js';

type RefusalRow = FailureRecord & RefusalCursor;

/** Refused requests, as the reader of a viewer shows them. */
export function refusedRequests(reader: RequestReader): FailureSource<RefusalRow> {
  return {
    fileName: 'refused-requests.csv',
    columns: [
      ...[
        'at',
        'kind',
        'status',
        'code',
        'field_code',
        'attr',
        'value',
        'dry_run',
        'external_account_number',
      ],
      'request_id',
    ],
    listCauses: (filter) => reader.refusalCauses(filter),
    listAccounts: async (filter, from, countMax) => {
      const accounts = await reader.refusedAccounts(filter, from, countMax);
      return accounts.map((account) => ({ ...account, failure: null }));
    },
    listRecords: async (filter, after, countMax) => {
      const records = await reader.refusalRecords(filter, after, countMax);
      return records.map(({ details, ...record }) => ({
        ...record,
        ...(details ?? { request_id: ANOTHER_ORGANISATION }),
      }));
    },
  };
}

/** Accounts whose import failed, in the order of their causes and numbers. */
export function failedImports(
  work: UnitOfWork,
  repository: FailedImportsRepository,
): FailureSource<FailedImportRow> {
  return {
    fileName: 'failed-imports.csv',
    columns: ['external_account_number', 'failed_at', 'failure'],
    listCauses: (filter) => work.single((tx) => repository.listCauses(tx, filter)),
    listAccounts: (filter, from, countMax) =>
      work.single((tx) => repository.listAccounts(tx, filter, from, countMax)),
    listRecords: (filter, after, countMax) =>
      work.single((tx) => repository.listRecords(tx, filter, after, countMax)),
  };
}
