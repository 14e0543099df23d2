import { Readable } from 'node:stream';
import type { INestApplicationContext } from '@nestjs/common';
import { readStagingFile } from '../accounts/staging/staging-file.js';
import { ImportingService } from '../accounts/importing/importing.service.js';
import { StagingService } from '../accounts/staging/staging.service.js';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { OrganisationsService, type OrganisationSummary } from '../auth/organisations.service.js';
import { Clock } from '../common/clock.js';
import { ImportSuppliersService, type Supplier } from '../import-suppliers/import-suppliers.service.js';

const ORGANISATION = 'Demo Energy';
const SUPPLIER = 'DEMO';

/** What is staged: four accounts to import, and one that stays pending. */
const ACCOUNTS = ['1001', '1002', '1003', '1004'];
const PENDING_ACCOUNT = '1005';

/**
 * Fill an empty database with something to try: an organisation with a key, the supplier DEMO, and a few accounts.
 *
 * Every step may be taken again, and the key is the last one: a demonstration without a key was interrupted, and is
 * finished by the next start.
 *
 * @param baseUrl where the service listens
 * @returns what to paste, step by step; nothing when the database is in use already
 * Source: contract, section 6.
 */
export async function createDemonstration(
  app: INestApplicationContext,
  baseUrl: string,
): Promise<string | undefined> {
  const organisations = app.get(OrganisationsService, { strict: false });
  const suppliers = app.get(ImportSuppliersService, { strict: false });
  const keys = app.get(ApiKeysService, { strict: false });
  const [known, taken] = [await organisations.list(), await suppliers.list()];
  if (!known.every(isOurs) || !taken.every(isOurSupplier)) return undefined;
  const { id } = known[0] ?? (await organisations.create(ORGANISATION));
  if ((await keys.list(id)).length > 0) return undefined;
  if (taken.length === 0) {
    await suppliers.create({ code: SUPPLIER, name: 'Demonstration supplier', organisations: [id] });
  }
  const importing = app.get(ImportingService, { strict: false });
  const interrupted = new AbortController().signal;
  // No more than these, for the pending account may be there already. Its number is the last one.
  const limit = await stage(app, ACCOUNTS);
  await importing.import(SUPPLIER, { limit, concurrency: 1, interrupted, onProgress: () => undefined });
  await stage(app, [PENDING_ACCOUNT]);
  const today = app.get(Clock, { strict: false }).today();
  const { key } = await keys.issue(id, { label: 'demonstration' });
  return steps(baseUrl, key, today);
}

function isOurs({ name }: OrganisationSummary): boolean {
  return name === ORGANISATION;
}

/** Its code alone may be an operator's idea. */
function isOurSupplier({ code, organisations }: Supplier): boolean {
  return code === SUPPLIER && organisations.includes(ORGANISATION);
}

/** @returns how many of them wait to be imported now */
async function stage(app: INestApplicationContext, numbers: readonly string[]): Promise<number> {
  const lines = numbers.map((number) => JSON.stringify({ external_account_number: number }));
  const readings = readStagingFile('ndjson', Readable.from([Buffer.from(lines.join('\n'))]));
  const { staged, replaced, badLines } = await app
    .get(StagingService, { strict: false })
    .stage(SUPPLIER, readings, new AbortController().signal);
  badLines.dispose();
  return staged + replaced;
}

/** @param today the platform's day, at which every open statement period ends that has no end of its own (contract S6) */
function steps(baseUrl: string, key: string, today: string): string {
  const [account = ''] = ACCOUNTS;
  const ref = `"import_supplier": "${SUPPLIER}", "external_account_number": "${account}"`;
  return `
The database was empty, so there is a demonstration in it: the organisation "${ORGANISATION}", the import supplier
${SUPPLIER}, the imported accounts ${ACCOUNTS.join(', ')} and the pending account ${PENDING_ACCOUNT}. Its API key is shown this once;
it is in the first command. Paste the commands into another terminal, one after another.

# 1. Exchange the API key for a token.
TOKEN=$(curl -s ${baseUrl}/v1/graphql/ -H 'Content-Type: application/json' -d '{"query": "mutation { obtainServiceToken(input: {apiKey: \\"${key}\\"}) { token } }"}' | node -pe 'JSON.parse(require("fs").readFileSync(0)).data.obtainServiceToken.token'); echo "$TOKEN"

# 2. Attach a note to an account.
curl -s ${baseUrl}/v1/data-import/notes/create/ -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' -d '{${ref}, "notes": [{"body": "Meter in the cellar"}]}'; echo

# 3. Book a transaction, to the cent.
curl -s ${baseUrl}/v1/data-import/transactions/create/ -H "Authorization: Token $TOKEN" -H 'Content-Type: application/json' -d '{${ref}, "transactions": [{"transaction_id": "t-1", "transaction_date": "${today}", "amount": 12.5, "type": "CHARGE", "reason": "IMPORTED_CHARGE"}]}'; echo

# 4. Ask how far the account is, and list them all.
curl -s ${baseUrl}/v1/data-import/account-transfer-status/${SUPPLIER}/${account}/ -H "Authorization: Token $TOKEN"; echo
curl -s ${baseUrl}/v1/data-import/all-account-import-processes/${SUPPLIER}/ -H "Authorization: Token $TOKEN"; echo
`;
}
