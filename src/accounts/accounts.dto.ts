import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { Omittable, Required } from '../common/validation/field.decorators.js';
import { QueryInteger } from '../common/validation/query.js';
import { described, identifier, wholeNumber } from '../common/validation/rules.js';
import { supplierCode } from './account-ref.js';
import type { AccountStatus } from './accounts.service.js';

/** Most elements of one page of a list (contract S5). */
const LIMIT_MAX = 10_000;

const EXTERNAL_ACCOUNT_NUMBER = { description: 'Number of the account in the system of the supplier.' };

/** The path of the lists. */
export class SupplierPathDto {
  @Required(supplierCode)
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

  @Omittable(
    described(
      identifier,
      'The list begins behind this `external_account_number`: the last one of the page before.',
    ),
  )
  after?: string;
}

/** The answer of the status endpoint (specification 2.8). */
@ApiSchema({ description: 'How far one account is.' })
export class AccountImportStatusDto {
  @ApiProperty({
    enum: ['UNKNOWN', 'IN_PROGRESS', 'COMPLETED'],
    description:
      '`COMPLETED`: imported, and takes loads. `IN_PROGRESS`: being imported now. `UNKNOWN`: waits to be imported, or its import failed.',
  })
  status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED';

  @ApiProperty({ description: 'Number of the platform account; empty while there is none.' })
  service_account_number: string;
}

/** One element of the lists (specification 2.7). */
@ApiSchema({ description: 'A staged account.' })
export class AccountImportProcessDto {
  @ApiProperty(EXTERNAL_ACCOUNT_NUMBER)
  external_account_number: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Number of the platform account; null until the account is imported.',
  })
  service_account_number: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the account was imported, in UTC and whole seconds; null until then.',
  })
  account_created_at: string | null;
}

/** The same of an account that is imported, so that nothing is null (contract S5). */
@ApiSchema({ description: 'An imported account.' })
export class ImportedAccountImportProcessDto {
  @ApiProperty(EXTERNAL_ACCOUNT_NUMBER)
  external_account_number: string;

  @ApiProperty({ description: 'Number of the platform account.' })
  service_account_number: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the account was imported, in UTC and whole seconds.',
  })
  account_created_at: string;
}

const WIRE_STATUS = {
  pending: 'UNKNOWN',
  failed: 'UNKNOWN',
  in_progress: 'IN_PROGRESS',
  imported: 'COMPLETED',
} as const;

export function toAccountImportStatusDto({
  state,
  serviceAccountNumber,
}: AccountStatus): AccountImportStatusDto {
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
