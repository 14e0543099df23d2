import { BadRequestException, Injectable, NotFoundException } from '@nestjs/common';
import { DataSource, IsNull, Not, type EntityManager } from 'typeorm';
import type { CreateNotesDto, CreateStatementsDto, CreateTransactionsDto, TransactionDto } from './dto.js';
import { Account, Note, Statement, Supplier, Transaction, type Organisation } from './entities.js';

/** Finds, then saves, each item on its own inside one transaction. */
@Injectable()
export class DataImportService {
  constructor(private readonly dataSource: DataSource) {}

  createTransactions(organisation: Organisation, dto: CreateTransactionsDto): Promise<object> {
    return this.dataSource.transaction(async (manager) => {
      const account = await this.findImported(manager, organisation, dto);
      const results: object[] = [];
      for (const item of dto.transactions) {
        const existing = await manager.findOne(Transaction, {
          where: { account: { id: account.id }, transactionId: item.transaction_id },
        });
        const stored = existing ? item : await this.addTransaction(manager, account, item);
        results.push({
          status: existing ? 'TRANSACTION_ALREADY_EXISTS' : 'TRANSACTION_ADDED_TO_ACCOUNT',
          transaction_data: Object.assign({}, stored, {
            amount: item.amount.toFixed(2),
            status: 'TRANSACTION_IMPORT_SUCCESS',
          }),
        });
      }
      return { results };
    });
  }

  createNotes(organisation: Organisation, dto: CreateNotesDto): Promise<object[]> {
    return this.dataSource.transaction(async (manager) => {
      const account = await this.findImported(manager, organisation, dto);
      const results: object[] = [];
      for (const item of dto.notes) {
        const body = item.body ?? '';
        const createdAt = item.created_at === undefined ? undefined : new Date(item.created_at);
        const existing = await manager.findOne(Note, {
          where: { account: { id: account.id }, body, ...(createdAt && { createdAt }) },
        });
        const note =
          existing ??
          (await manager.save(
            manager.create(Note, {
              account,
              body,
              documentPaths: (item.document_paths ?? []).map(
                ({ document_path }) => `${account.supplier.documentRoot}/${document_path}`,
              ),
              createdAt: createdAt ?? new Date(),
              isPinned: item.is_pinned ?? false,
              ...(item.unpin_at !== undefined && { unpinAt: new Date(item.unpin_at) }),
            }),
          ));
        results.push({
          created_at: `${note.createdAt.toISOString().slice(0, 19)}Z`,
          body,
          status: existing ? 'NOTE_ALREADY_EXISTS' : 'NOTE_CREATION_SUCCESS',
        });
      }
      return results;
    });
  }

  createStatements(organisation: Organisation, dto: CreateStatementsDto): Promise<CreateStatementsDto> {
    return this.dataSource.transaction(async (manager) => {
      const account = await this.findImported(manager, organisation, dto);
      for (const item of dto.statements) {
        const existing = await manager.findOne(Statement, {
          where: { account: { id: account.id }, statementId: item.statement_id },
        });
        if (existing) continue;
        await manager.save(
          manager.create(Statement, {
            account,
            statementId: item.statement_id,
            billPeriodFromDate: item.bill_period_from_date,
            billPeriodToDate: item.bill_period_to_date,
            issuedDate: item.issued_date,
            number: item.number,
            grossAmount: item.gross_amount,
            documentLocation:
              item.statement_path && `${account.supplier.documentRoot}/${item.statement_path}`,
          }),
        );
      }
      return dto;
    });
  }

  async status(organisation: Organisation, code: string, externalAccountNumber: string): Promise<object> {
    const account = await this.dataSource.manager.findOne(Account, {
      where: { supplier: { code, organisation: { id: organisation.id } }, externalAccountNumber },
    });
    if (!account) throw new NotFoundException();
    return {
      status: account.serviceAccountNumber === null ? 'UNKNOWN' : 'COMPLETED',
      service_account_number: account.serviceAccountNumber ?? '',
    };
  }

  async list(
    organisation: Organisation,
    code: string,
    filter: 'all' | 'pending' | 'imported',
  ): Promise<object[]> {
    const supplier = await this.dataSource.manager.findOne(Supplier, {
      where: { code, organisation: { id: organisation.id } },
    });
    if (!supplier) throw new NotFoundException();
    const accounts = await this.dataSource.manager.find(Account, {
      where: {
        supplier: { id: supplier.id },
        ...(filter !== 'all' && { serviceAccountNumber: filter === 'pending' ? IsNull() : Not(IsNull()) }),
      },
      order: { externalAccountNumber: 'ASC' },
    });
    return accounts.map((account) => ({
      external_account_number: account.externalAccountNumber,
      service_account_number: account.serviceAccountNumber,
      account_created_at:
        account.accountCreatedAt && `${account.accountCreatedAt.toISOString().slice(0, 19)}Z`,
    }));
  }

  private async findImported(
    manager: EntityManager,
    organisation: Organisation,
    pair: { import_supplier: string; external_account_number: string },
  ): Promise<Account> {
    const account = await manager.findOne(Account, {
      where: {
        supplier: { code: pair.import_supplier, organisation: { id: organisation.id } },
        externalAccountNumber: pair.external_account_number,
        serviceAccountNumber: Not(IsNull()),
      },
      relations: { supplier: true },
    });
    if (!account) throw new NotFoundException();
    if (account.supplier.status !== 'ongoing') throw new BadRequestException('The migration is not ongoing.');
    return account;
  }

  private async addTransaction(
    manager: EntityManager,
    account: Account,
    item: TransactionDto,
  ): Promise<TransactionDto> {
    const date = dayInOpenPeriod(account, item.transaction_date);
    const isMoved = date !== item.transaction_date;
    const note = isMoved
      ? `${item.note ?? ''} The date was changed from ${item.transaction_date}.`.trim()
      : item.note;
    await manager.save(
      manager.create(Transaction, {
        account,
        transactionId: item.transaction_id,
        transactionDate: date,
        amount: item.amount.toFixed(2),
        type: item.type,
        reason: item.reason,
        reference: item.reference,
        paymentType: item.payment_type,
        displayNote: item.display_note,
        note,
        productCode: item.product_code,
        lineItems: (item.line_items ?? []).map((line) => ({
          rateBand: line.rate_band,
          startDate: line.start_date,
          endDate: line.end_date,
          numberOfUnits: line.number_of_units,
          netAmount: line.net_amount,
          pricePerUnit: line.price_per_unit,
          units: line.units,
        })),
        taxItems: (item.tax_items ?? []).map((tax) => ({
          amount: tax.amount,
          taxType: tax.tax_type,
          valueTaxed: tax.value_taxed,
          rate: tax.rate,
          unitType: tax.unit_type,
        })),
      }),
    );
    if (!isMoved) return item;
    const body = `The date of transaction ${item.transaction_id} was changed to ${date}.`;
    await manager.save(manager.create(Note, { account, body, createdAt: new Date(), isPinned: true }));
    return Object.assign({}, item, { transaction_date: date, note });
  }
}

function dayInOpenPeriod({ openStatementFrom, openStatementTo }: Account, day: string): string {
  const first = openStatementFrom ?? day;
  const last = openStatementTo ?? new Date().toISOString().slice(0, 10);
  if (day < first) return first;
  return day > last ? last : day;
}
