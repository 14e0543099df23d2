import type { ObjectLiteral, QueryDeepPartialEntity, Repository } from 'typeorm';

/**
 * Insert a row unless it is there already: a caught violation would have ended the transaction.
 *
 * @param returned the column that the caller needs of the new row
 * @returns undefined when the row was there
 */
export async function insertNew<Entity extends ObjectLiteral, Column extends keyof Entity & string>(
  repository: Repository<Entity>,
  columns: QueryDeepPartialEntity<Entity>,
  returned: Column,
): Promise<Pick<Entity, Column> | undefined> {
  const insert = repository.createQueryBuilder().insert().values(columns).orIgnore();
  const result = await insert.returning([returned]).updateEntity(false).execute();
  return (result.raw as Pick<Entity, Column>[])[0];
}
