import { ApiProperty, ApiSchema } from '../../infrastructure/validation/openapi.js';
import { ListQuery } from '../../accounts/status/accounts.dto.js';
import { AMOUNT_SUM_SHAPE } from '../../infrastructure/text/money.js';
import { QueryBooleanField } from '../../infrastructure/validation/field.decorators.js';

const DIGEST = { pattern: '^[0-9a-f]{64}$' };

const ROW_DIGESTS = {
  optional: true,
  description:
    'Add the digests of the rows to each section, without their content. Such a request is not recorded.',
};

/** The query parameters of `GET account-content/` (choice V1). */
export class ContentQuery {
  @QueryBooleanField({
    optional: true,
    description: 'Add the rows to each section. Such a request is recorded.',
  })
  rows = false;

  @QueryBooleanField(ROW_DIGESTS)
  row_digests = false;
}

/** The query parameters of `GET account-contents/` (choice V2). */
export class ContentsQuery extends ListQuery {
  @QueryBooleanField(ROW_DIGESTS)
  row_digests = false;
}

/** A row of an account (choices V1, V3). */
@ApiSchema({ description: 'A row, only with `rows=true`.' })
export class ContentRowDto {
  @ApiProperty({ ...DIGEST, description: 'SHA-256 of the bytes of `content` as they are here.' })
  digest: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The item as it was sent, in the form of RFC 8785.',
  })
  content: object;
}

/** A section of an account (choice V1). */
@ApiSchema({ description: 'What an account has of one kind.' })
export class SectionContentDto {
  @ApiProperty({ type: 'integer', description: 'Number of rows.' })
  count: number;

  @ApiProperty({
    ...DIGEST,
    description: 'SHA-256 of the digests of the rows in ascending order, each followed by a line feed.',
  })
  digest: string;

  @ApiProperty({
    type: [ContentRowDto],
    required: false,
    description: 'In ascending order of `digest`; only with `rows=true`.',
  })
  rows?: ContentRowDto[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string', ...DIGEST },
    required: false,
    description: 'The digests of the rows in ascending order; only with `row_digests=true`.',
  })
  row_digests?: string[];
}

/** The transactions of an account (choice V1). */
@ApiSchema({ description: 'The transactions of an account.' })
export class TransactionsContentDto extends SectionContentDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', pattern: AMOUNT_SUM_SHAPE.source },
    description: 'Sum of the amounts of each type that is there, exact, with two decimal places.',
  })
  amounts: Record<string, string>;
}

/** The content of an account (choice V1). */
@ApiSchema({ description: 'What an account holds, at one point in time.' })
export class AccountContentDto {
  @ApiProperty({ description: "Number of the account in the supplier's system." })
  external_account_number: string;

  @ApiProperty({ description: 'Number of the platform account.' })
  service_account_number: string;

  @ApiProperty({ type: SectionContentDto })
  notes: SectionContentDto;

  @ApiProperty({ type: TransactionsContentDto })
  transactions: TransactionsContentDto;

  @ApiProperty({ type: SectionContentDto })
  historical_statements: SectionContentDto;

  @ApiProperty({ type: SectionContentDto })
  payment_instructions: SectionContentDto;

  @ApiProperty({
    ...DIGEST,
    description:
      'SHA-256 of four lines, each followed by a line feed: the name of a section, a space and its digest, in the order of this object.',
  })
  digest: string;
}
