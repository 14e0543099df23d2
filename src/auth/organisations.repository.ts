import { Injectable } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { Organisation } from './organisation.entity.js';

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

  /** @returns the time of the change by the database's clock; nothing when there is no such organisation */
  async incrementTokenVersion(tx: Tx, id: string): Promise<Date | undefined> {
    const result = await tx
      .createQueryBuilder()
      .update(Organisation)
      .set({ tokenVersion: () => 'token_version + 1' })
      .where({ id })
      .returning('now() AS changed_at')
      .execute();
    const [row] = result.raw as { changed_at: Date }[];
    return row?.changed_at;
  }
}
