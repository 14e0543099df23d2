import { ApiProperty, ApiSchema } from '../../infrastructure/validation/openapi.js';
import { IdentifierField, QueryIntegerField } from '../../infrastructure/validation/field.decorators.js';
import type { AccountStatus } from './accounts.service.js';

/** Maximum number of elements in one page of a list (choice S5). */
const LIMIT_MAX = 10_000;

const EXTERNAL_ACCOUNT_NUMBER = { description: "Number of the account in the supplier's system." };

/** Paging of the lists. Without it, the whole list is sent (choice S5). */
export class ListQuery {
  @QueryIntegerField({
    min: 1,
    max: LIMIT_MAX,
    optional: true,
    description: 'The most elements of one page. Without it the answer is the whole list.',
  })
  limit?: number;

  @IdentifierField({
    optional: true,
    description:
      'The list begins after this `external_account_number`, which is the last one of the previous page.',
  })
  after?: string;
}

/** The response of the status endpoint (specification 2.8). */
@ApiSchema({ description: 'The import status of one account.' })
export class AccountImportStatusDto {
  @ApiProperty({
    enum: ['UNKNOWN', 'IN_PROGRESS', 'COMPLETED'],
    description:
      '`COMPLETED`: imported; data can be added to it. `IN_PROGRESS`: being imported now. `UNKNOWN`: not imported yet, or its import failed.',
  })
  status: 'UNKNOWN' | 'IN_PROGRESS' | 'COMPLETED';

  @ApiProperty({ description: 'Number of the platform account; empty until there is one.' })
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

/** One element of the list of imported accounts, in which nothing is null (choice S5). */
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

/** The header that links to the next page, which keeps the other parameters of this request; none at the end of the list. */
export function linkToNext(url: string, nextAfter: string | undefined): { link?: string } {
  if (nextAfter === undefined) return {};
  const path = url.split('?', 1)[0] ?? '';
  const query = new URLSearchParams(url.slice(path.length));
  query.set('after', nextAfter);
  return { link: `<${path}?${query.toString()}>; rel="next"` };
}
