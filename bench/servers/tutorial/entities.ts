import {
  Column,
  CreateDateColumn,
  Entity,
  Index,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';

/** Entities with relations and generated keys, and the indexes that the look-ups need. */

@Entity()
export class Organisation {
  @PrimaryGeneratedColumn()
  id: number;

  @Column()
  name: string;
}

@Entity()
export class Token {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ unique: true })
  value: string;

  @ManyToOne(() => Organisation, { nullable: false })
  organisation: Organisation;
}

@Entity()
export class Supplier {
  @PrimaryGeneratedColumn()
  id: number;

  @Column({ unique: true })
  code: string;

  @Column({ default: 'ongoing' })
  status: string;

  @Column()
  documentRoot: string;

  @ManyToOne(() => Organisation, { nullable: false })
  organisation: Organisation;
}

@Entity()
@Unique(['supplier', 'externalAccountNumber'])
export class Account {
  @PrimaryGeneratedColumn()
  id: number;

  @ManyToOne(() => Supplier, { nullable: false })
  supplier: Supplier;

  @Column()
  externalAccountNumber: string;

  @Column({ type: 'varchar', nullable: true })
  serviceAccountNumber: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  accountCreatedAt: Date | null;

  @Column({ type: 'date', nullable: true })
  openStatementFrom: string | null;

  @Column({ type: 'date', nullable: true })
  openStatementTo: string | null;
}

@Entity()
@Unique(['account', 'transactionId'])
export class Transaction {
  @PrimaryGeneratedColumn()
  id: number;

  @ManyToOne(() => Account, { nullable: false })
  account: Account;

  @Column()
  transactionId: string;

  @Column({ type: 'date' })
  transactionDate: string;

  @Column({ type: 'numeric', precision: 14, scale: 2 })
  amount: string;

  @Column()
  type: string;

  @Column({ type: 'varchar', nullable: true })
  reason?: string;

  @Column({ type: 'varchar', nullable: true })
  reference?: string;

  @Column({ type: 'varchar', nullable: true })
  paymentType?: string;

  @Column({ type: 'text', nullable: true })
  displayNote?: string;

  @Column({ type: 'text', nullable: true })
  note?: string;

  @Column({ type: 'varchar', nullable: true })
  productCode?: string;

  @OneToMany(() => LineItem, (item) => item.transaction, { cascade: true })
  lineItems: LineItem[];

  @OneToMany(() => TaxItem, (item) => item.transaction, { cascade: true })
  taxItems: TaxItem[];

  @CreateDateColumn()
  createdAt: Date;
}

@Entity()
export class LineItem {
  @PrimaryGeneratedColumn()
  id: number;

  @Index()
  @ManyToOne(() => Transaction, (transaction) => transaction.lineItems, { nullable: false })
  transaction: Transaction;

  @Column({ type: 'varchar', nullable: true })
  rateBand?: string;

  @Column({ type: 'date' })
  startDate: string;

  @Column({ type: 'date' })
  endDate: string;

  @Column({ type: 'numeric' })
  numberOfUnits: number;

  @Column({ type: 'numeric' })
  netAmount: number;

  @Column({ type: 'numeric', nullable: true })
  pricePerUnit?: number;

  @Column({ type: 'numeric', array: true, nullable: true })
  units?: number[];
}

@Entity()
export class TaxItem {
  @PrimaryGeneratedColumn()
  id: number;

  @Index()
  @ManyToOne(() => Transaction, (transaction) => transaction.taxItems, { nullable: false })
  transaction: Transaction;

  @Column({ type: 'numeric' })
  amount: number;

  @Column()
  taxType: string;

  @Column({ type: 'numeric' })
  valueTaxed: number;

  @Column({ type: 'numeric' })
  rate: number;

  @Column()
  unitType: string;
}

@Entity()
export class Note {
  @PrimaryGeneratedColumn()
  id: number;

  @Index()
  @ManyToOne(() => Account, { nullable: false })
  account: Account;

  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text', array: true, default: [] })
  documentPaths: string[];

  @Column({ type: 'timestamptz' })
  createdAt: Date;

  @Column({ default: false })
  isPinned: boolean;

  @Column({ type: 'timestamptz', nullable: true })
  unpinAt?: Date;
}

@Entity()
@Unique(['account', 'statementId'])
export class Statement {
  @PrimaryGeneratedColumn()
  id: number;

  @ManyToOne(() => Account, { nullable: false })
  account: Account;

  @Column()
  statementId: string;

  @Column({ type: 'date' })
  billPeriodFromDate: string;

  @Column({ type: 'date' })
  billPeriodToDate: string;

  @Column({ type: 'date', nullable: true })
  issuedDate?: string;

  @Column({ type: 'varchar', nullable: true })
  number?: string;

  @Column({ type: 'numeric', nullable: true })
  grossAmount?: number;

  @Column({ type: 'varchar', nullable: true })
  documentLocation?: string;
}

export const ENTITIES = [
  ...[Organisation, Token, Supplier, Account],
  ...[Transaction, LineItem, TaxItem, Note, Statement],
];
