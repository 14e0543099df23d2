import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { HERE } from '../paths.js';
import { startServer, type RunningServer } from '../processes/child.js';
import { withClient, type BenchPostgres } from '../processes/postgres.js';
import { FLOOR_SCHEMA } from '../servers/floor/schema.js';
import { contender, SERVICE_TABLES, type Contender, type Tables } from './contender.js';
import { ACCOUNTS, OPEN_STATEMENT_FROM, PENDING_SUPPLIER, SUPPLIER, accountNumberSql } from './fixture.js';

const FLOOR_TABLES: Tables = {
  rows: SERVICE_TABLES.rows,
  accounts: 'account',
  externalNumber: 'external_number',
  serviceNumber: 'service_number',
};
const TUTORIAL_TABLES: Tables = {
  rows: { ...SERVICE_TABLES.rows, statements: ['statement', '"grossAmount"'] },
  accounts: 'account',
  externalNumber: '"externalAccountNumber"',
  serviceNumber: '"serviceAccountNumber"',
};

/** @param program below `floor`: Fastify alone, or behind Nest */
export async function startFloor(postgres: BenchPostgres, name: string, program: string): Promise<Contender> {
  const url = await postgres.createDatabase(`bench_${name.replaceAll('-', '_')}`);
  const token = newToken();
  await withClient(url, async (client) => {
    await client.query(FLOOR_SCHEMA);
    await client.query(
      `INSERT INTO token (hash, organisation_id) VALUES (sha256(convert_to($1, 'UTF8')), 1)`,
      [token],
    );
    await client.query(
      `INSERT INTO supplier (code, organisation_id, is_ongoing, document_root)
       VALUES ('${SUPPLIER}', 1, true, 'bench'), ('${PENDING_SUPPLIER}', 1, true, 'bench-pending')`,
    );
    await insertAccounts(client, 'supplier_id, external_number, service_number, created_at, open_from');
  });
  const server = await startComparison(postgres, name, join('floor', program), url);
  return contender(name, url, token, server, FLOOR_TABLES);
}

export async function startTutorial(postgres: BenchPostgres, name: string): Promise<Contender> {
  const url = await postgres.createDatabase('bench_tutorial');
  const token = newToken();
  // The server creates its tables when it starts.
  const server = await startComparison(postgres, name, join('tutorial', 'main.js'), url);
  try {
    await withClient(url, async (client) => {
      await client.query(`INSERT INTO organisation (name) VALUES ('Bench')`);
      await client.query(`INSERT INTO token (value, "organisationId") SELECT $1, id FROM organisation`, [
        token,
      ]);
      await client.query(
        `INSERT INTO supplier (code, "documentRoot", "organisationId")
         SELECT v.code, v.root, o.id
           FROM organisation o, (VALUES ('${SUPPLIER}', 'bench'), ('${PENDING_SUPPLIER}', 'bench-pending')) AS v (code, root)`,
      );
      await insertAccounts(
        client,
        '"supplierId", "externalAccountNumber", "serviceAccountNumber", "accountCreatedAt", "openStatementFrom"',
      );
    });
    return contender(name, url, token, server, TUTORIAL_TABLES);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The accounts of both suppliers, those of {@link SUPPLIER} imported. */
async function insertAccounts(client: pg.Client, columns: string): Promise<void> {
  const whenImported = (value: string): string => `CASE WHEN s.code = '${SUPPLIER}' THEN ${value} END`;
  await client.query(
    `INSERT INTO account (${columns})
     SELECT s.id, ${accountNumberSql('i')}, ${whenImported(`'A-' || upper(lpad(to_hex(i), 8, '0'))`)}, ${whenImported('now()')},
            ${whenImported(`'${OPEN_STATEMENT_FROM}'::date`)}
       FROM supplier s, generate_series(0, ${ACCOUNTS - 1}) AS i`,
  );
  await client.query('VACUUM ANALYZE');
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function startComparison(
  postgres: BenchPostgres,
  name: string,
  program: string,
  url: string,
): Promise<RunningServer> {
  return startServer({
    program: join(HERE, 'servers', program),
    settings: { DATABASE_URL: url },
    folder: postgres.folder,
    logFile: join(postgres.folder, `${name}.log`),
  });
}
