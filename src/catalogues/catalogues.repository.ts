import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';

/** The fields whose allowed values are data (contract X3). */
export const CATALOGUE_FIELDS = ['reason', 'payment_type', 'vendor', 'instruction_type'] as const;
export type CatalogueField = (typeof CATALOGUE_FIELDS)[number];

export interface CatalogueValue {
  readonly field: CatalogueField;
  readonly value: string;
}

const ALL = query<CatalogueValue>(
  'catalogues.all',
  `SELECT field, value FROM catalogue_value ORDER BY field, value`,
);

const ADD = query<CatalogueValue>(
  'catalogues.add',
  `INSERT INTO catalogue_value (field, value) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING field, value`,
);

@Injectable()
export class CataloguesRepository {
  all(tx: Tx): Promise<CatalogueValue[]> {
    return run(tx, ALL, []);
  }

  /** @returns whether the value is new */
  async add(tx: Tx, { field, value }: CatalogueValue): Promise<boolean> {
    return (await run(tx, ADD, [field, value])).length > 0;
  }
}
