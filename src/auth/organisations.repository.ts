import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { Organisation } from './organisation.entity.js';

/** What is known after an organisation's token version was raised. */
export interface TokenVersionChange {
  /** Name of the organisation. */
  readonly name: string;
  /** The new version. */
  readonly tokenVersion: number;
  /** By the database's clock. */
  readonly changedAt: Date;
}

@Injectable()
export class OrganisationsRepository {
  /** @returns the id of the new organisation; nothing when the name is taken */
  async insert(tx: Tx, name: string): Promise<string | undefined> {
    const result = await tx
      .createQueryBuilder()
      .insert()
      .into(Organisation)
      .values({ name })
      .orIgnore()
      .returning(['id'])
      .updateEntity(false)
      .execute();
    const [row] = result.raw as { id: string }[];
    return row?.id;
  }

  list(tx: Tx): Promise<Organisation[]> {
    return tx.find(Organisation, { order: { name: 'ASC' } });
  }

  findById(tx: Tx, id: string): Promise<Organisation | null> {
    return tx.findOneBy(Organisation, { id });
  }

  findByName(tx: Tx, name: string): Promise<Organisation | null> {
    return tx.findOneBy(Organisation, { name });
  }

  /** @returns nothing when there is no such organisation */
  async incrementTokenVersion(tx: Tx, id: string): Promise<TokenVersionChange | undefined> {
    const result = await tx
      .createQueryBuilder()
      .update(Organisation)
      .set({ tokenVersion: () => 'token_version + 1' })
      .where({ id })
      .returning('name, token_version, now() AS changed_at')
      .execute();
    const [row] = result.raw as { name: string; token_version: number; changed_at: Date }[];
    return row && { name: row.name, tokenVersion: row.token_version, changedAt: row.changed_at };
  }
}
