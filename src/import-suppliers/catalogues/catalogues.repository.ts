import { Injectable } from '@nestjs/common';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import { CatalogueValue, type CatalogueField } from './catalogue-value.entity.js';

@Injectable()
export class CataloguesRepository {
  /** Ordered by field and value. @param field one of them; all by default */
  list(tx: Tx, field?: CatalogueField): Promise<CatalogueValue[]> {
    return tx.find(CatalogueValue, {
      ...(field !== undefined && { where: { field } }),
      order: { field: 'ASC', value: 'ASC' },
    });
  }

  /** @returns whether the value is new */
  async add(tx: Tx, field: CatalogueField, value: string): Promise<boolean> {
    const result = await tx
      .createQueryBuilder()
      .insert()
      .into(CatalogueValue)
      .values({ field, value })
      .orIgnore()
      .returning(['value'])
      .updateEntity(false)
      .execute();
    return (result.raw as unknown[]).length > 0;
  }
}
