import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/apps/data-source.js';
import { UnitOfWork } from '../../../src/infrastructure/database/unit-of-work.js';
import { SupplierIds } from '../../../src/import-suppliers/supplier-ids.js';
import { createDatabase } from '../../support/database.js';
import { unique } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';

const { jest } = import.meta;

describe('the ids of import suppliers', () => {
  const database = setUp(createDatabase);
  const source = setUp(() => {
    const settings = { DATABASE_POOL_MAX: 4, DATABASE_STATEMENTS: 'prepared' } as const;
    return new DataSource(dataSourceOptions(database.url, settings)).initialize();
  });
  let work: UnitOfWork;
  let ids: SupplierIds;
  beforeEach(() => {
    work = new UnitOfWork(source);
    ids = new SupplierIds(work);
  });

  async function createSupplier(code: string): Promise<number> {
    const [row] = await database.sql<{ id: number }>(
      `INSERT INTO import_supplier (code, name, document_root) VALUES ($1, 'S', 's') RETURNING id`,
      [code],
    );
    return row!.id;
  }

  it('are found by the exact code, and looked up once (T14)', async () => {
    const code = unique('Supplier');
    const id = await createSupplier(code);
    expect(await ids.find(code.toUpperCase())).toBeUndefined();
    const single = jest.spyOn(work, 'query');
    expect(await Promise.all([ids.find(code), ids.find(code)])).toEqual([id, id]);
    expect(await ids.find(code)).toBe(id);
    expect(single).toHaveBeenCalledTimes(1);
  });

  it('are found as soon as the supplier exists: a miss is not remembered', async () => {
    const code = unique('supplier');
    expect(await ids.find(code)).toBeUndefined();
    const id = await createSupplier(code);
    expect(await ids.find(code)).toBe(id);
  });

  it('are found together, with one query for the unknown ones', async () => {
    const [known, other, nobody] = [unique('known'), unique('other'), unique('nobody')];
    const [id, otherId] = [await createSupplier(known), await createSupplier(other)];
    await ids.find(known);
    const single = jest.spyOn(work, 'query');
    const expected = new Map([
      [known, id],
      [other, otherId],
    ]);
    expect(await ids.findAll([known, other, nobody])).toEqual(expected);
    expect(await ids.findAll([known, other])).toEqual(expected);
    expect(single).toHaveBeenCalledTimes(1);
  });

  it('are found for a supplier that is created during a look-up', async () => {
    const code = unique('supplier');
    const single = work.query.bind(work);
    let created = 0;
    let later: Promise<number | undefined> | undefined;
    jest.spyOn(work, 'query').mockImplementationOnce(async (query) => {
      const answer = await single(query);
      created = await createSupplier(code);
      later = ids.find(code);
      return answer;
    });
    expect(await ids.find(code)).toBeUndefined();
    expect(await later).toBe(created);
  });
});
