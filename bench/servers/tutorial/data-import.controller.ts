import { Body, Controller, Get, Param, Post, Req, UseGuards } from '@nestjs/common';
import { DataImportService } from './data-import.service.js';
import { CreateNotesDto, CreateStatementsDto, CreateTransactionsDto } from './dto.js';
import { TokenGuard, type RequestWithOrganisation } from './token.guard.js';

@Controller('v1/data-import')
@UseGuards(TokenGuard)
export class DataImportController {
  constructor(private readonly dataImport: DataImportService) {}

  @Post('transactions/create')
  createTransactions(
    @Req() { organisation }: RequestWithOrganisation,
    @Body() dto: CreateTransactionsDto,
  ): Promise<object> {
    return this.dataImport.createTransactions(organisation, dto);
  }

  @Post('notes/create')
  createNotes(
    @Req() { organisation }: RequestWithOrganisation,
    @Body() dto: CreateNotesDto,
  ): Promise<object[]> {
    return this.dataImport.createNotes(organisation, dto);
  }

  @Post('historical-statements/create')
  createStatements(
    @Req() { organisation }: RequestWithOrganisation,
    @Body() dto: CreateStatementsDto,
  ): Promise<object> {
    return this.dataImport.createStatements(organisation, dto);
  }

  @Get('account-transfer-status/:supplier/:account')
  status(
    @Req() { organisation }: RequestWithOrganisation,
    @Param('supplier') supplier: string,
    @Param('account') account: string,
  ): Promise<object> {
    return this.dataImport.status(organisation, supplier, account);
  }

  @Get('all-account-import-processes/:supplier')
  all(
    @Req() { organisation }: RequestWithOrganisation,
    @Param('supplier') supplier: string,
  ): Promise<object[]> {
    return this.dataImport.list(organisation, supplier, 'all');
  }

  @Get('pending-account-import-processes/:supplier')
  pending(
    @Req() { organisation }: RequestWithOrganisation,
    @Param('supplier') supplier: string,
  ): Promise<object[]> {
    return this.dataImport.list(organisation, supplier, 'pending');
  }

  @Get('imported-account-import-processes/:supplier')
  imported(
    @Req() { organisation }: RequestWithOrganisation,
    @Param('supplier') supplier: string,
  ): Promise<object[]> {
    return this.dataImport.list(organisation, supplier, 'imported');
  }
}
