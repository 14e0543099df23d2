import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsIn,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';

/** Payloads for the ValidationPipe, with decorators of class-validator on every field. */

const ITEMS_MAX = 5_000;

class AccountPairDto {
  @IsString()
  @Length(1, 128)
  import_supplier: string;

  @IsString()
  @Length(1, 128)
  external_account_number: string;
}

export class LineItemDto {
  @IsOptional()
  @IsString()
  rate_band?: string;

  @IsDateString({ strict: true })
  start_date: string;

  @IsDateString({ strict: true })
  end_date: string;

  @IsNumber()
  number_of_units: number;

  @IsNumber()
  net_amount: number;

  @IsOptional()
  @IsNumber()
  price_per_unit?: number;

  @IsOptional()
  @IsNumber({}, { each: true })
  units?: number[];
}

export class TaxItemDto {
  @IsNumber()
  amount: number;

  @IsString()
  tax_type: string;

  @IsNumber()
  value_taxed: number;

  @IsNumber()
  rate: number;

  @IsIn(['PROPORTION', 'CURRENCY_PER_KWH'])
  unit_type: string;
}

export class TransactionDto {
  @IsString()
  @Length(1, 128)
  transaction_id: string;

  @IsDateString({ strict: true })
  transaction_date: string;

  @IsNumber({ maxDecimalPlaces: 2 })
  amount: number;

  @IsIn(['CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE'])
  type: string;

  @IsOptional()
  @IsIn(['ACCOUNT_CHARGE_PAYMENT', 'IMPORTED_CHARGE', 'IMPORTED_CREDIT', 'GENERAL_CREDIT'])
  reason?: string;

  @IsOptional()
  @IsString()
  @MaxLength(512)
  reference?: string;

  @IsOptional()
  @IsIn(['DD_REGULAR_COLLECTION', 'DIRECT_CREDIT', 'DEBIT_CARD'])
  payment_type?: string;

  @IsOptional()
  @IsString()
  @MaxLength(5_000)
  display_note?: string;

  @IsOptional()
  @IsString()
  @MaxLength(5_000)
  note?: string;

  @IsOptional()
  @IsString()
  product_code?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LineItemDto)
  line_items?: LineItemDto[];

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => TaxItemDto)
  tax_items?: TaxItemDto[];
}

export class CreateTransactionsDto extends AccountPairDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ITEMS_MAX)
  @ValidateNested({ each: true })
  @Type(() => TransactionDto)
  transactions: TransactionDto[];
}

export class DocumentPathDto {
  @IsString()
  @Length(1, 1_024)
  document_path: string;
}

export class NoteDto {
  @IsOptional()
  @IsString()
  @MaxLength(50_000)
  body?: string;

  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => DocumentPathDto)
  document_paths?: DocumentPathDto[];

  @IsOptional()
  @IsDateString({ strict: true })
  created_at?: string;

  @IsOptional()
  @IsBoolean()
  is_pinned?: boolean;

  @IsOptional()
  @IsDateString({ strict: true })
  unpin_at?: string;
}

export class CreateNotesDto extends AccountPairDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ITEMS_MAX)
  @ValidateNested({ each: true })
  @Type(() => NoteDto)
  notes: NoteDto[];
}

export class StatementDto {
  @IsDateString({ strict: true })
  bill_period_from_date: string;

  @IsDateString({ strict: true })
  bill_period_to_date: string;

  @IsString()
  @Length(1, 128)
  statement_id: string;

  @IsOptional()
  @IsDateString({ strict: true })
  issued_date?: string;

  @IsOptional()
  @IsString()
  number?: string;

  @IsOptional()
  @IsNumber()
  gross_amount?: number;

  @IsOptional()
  @IsString()
  @Length(1, 1_024)
  statement_path?: string;
}

export class CreateStatementsDto extends AccountPairDto {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(ITEMS_MAX)
  @ValidateNested({ each: true })
  @Type(() => StatementDto)
  statements: StatementDto[];
}
