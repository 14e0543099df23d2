import { ApiProperty } from '@nestjs/swagger';
import { Omittable, Required } from '../common/validation/field.decorators.js';
import { QueryInteger } from '../common/validation/query.js';
import { described, identifier, wholeNumber } from '../common/validation/rules.js';
import type { AccountStatus } from './account-queries.service.js';

/** Most elements of one page of a list (contract S5). */
const LIMIT_MAX = 10_000;

/** The path of the lists. */
export class SupplierPathDto {
  @Required(identifier)
  import_supplier: string;
}

/** Paging of the lists; without it the whole list is sent (contract S5). */
export class ListQuery {
  @QueryInteger()
  @Omittable(
    described(
      wholeNumber({ min: 1, max: LIMIT_MAX }),
      'Most elements of the answer; without it the whole list.',
    ),
  )
  limit?: number;

  @Omittable(described(identifier, 'The list goes on behind this account number.'))
  after?: string;
}

/** The answer of the status endpoint (specification 2.8). */
export class AccountStatusDto {
  @ApiProperty({ enum: ['UNKNOWN', 'IN_PROGRESS', 'COMPLETED'] })
  status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED';

  @ApiProperty({ description: 'Empty while there is no platform account' })
  service_account_number: string;
}

/** One element of the lists (specification 2.7). */
export class AccountImportProcessDto {
  @ApiProperty()
  external_account_number: string;

  @ApiProperty({ type: String, nullable: true })
  service_account_number: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  account_created_at: string | null;
}

const WIRE_STATUS = {
  pending: 'UNKNOWN',
  failed: 'UNKNOWN',
  in_progress: 'IN_PROGRESS',
  imported: 'COMPLETED',
} as const;

export function toAccountStatusDto({ state, serviceAccountNumber }: AccountStatus): AccountStatusDto {
  return { status: WIRE_STATUS[state], service_account_number: serviceAccountNumber ?? '' };
}

/** The header that names the next page; none at the end of the list. */
export function linkToNext(
  url: string,
  { limit }: ListQuery,
  nextAfter: string | undefined,
): { link?: string } {
  if (nextAfter === undefined) return {};
  const query = new URLSearchParams({ limit: String(limit), after: nextAfter });
  return { link: `<${url.split('?', 1)[0] ?? ''}?${query.toString()}>; rel="next"` };
}
