import { accountState, type AccountState } from '../../../accounts/status/account-state.js';
import { countedRows, differs } from '../../../accounts/counts/account-counts.queries.js';
import { runArriving } from '../../../infrastructure/database/arriving-rows.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import { readAccounts } from '../account-reading.js';
import { contentsQuery } from '../proof.repository.js';
import type { AccountContent, ContentRow, RowAccount } from '../proof.types.js';

/** An account of any state, with its content. */
export interface ListedAccount {
  readonly state: AccountState;
  /** Whether its rows differ from its control totals; null when it has none. */
  readonly differs: boolean | null;
  readonly content: AccountContent;
}

type AccountRow = RowAccount & {
  readonly section: 'account';
  readonly content: Pick<ListedAccount, 'state' | 'differs'>;
};

const DIFFERS = `(SELECT ${differs('c', 'found')}
             FROM {account_control c}
            CROSS JOIN LATERAL (${countedRows('c.external_account_number')}) AS found
            WHERE c.import_supplier_id = :import_supplier_id AND c.external_account_number = a.external_account_number)`;

const EVERY_ACCOUNT = contentsQuery<AccountRow | ContentRow>(
  'contents.every_account',
  'true',
  `${accountState('a')} AS state, ${DIFFERS} AS differs`,
);

/**
 * All accounts of a supplier with their content, in the order of the lists (choice S5). A single query reads them, so all
 * are from one snapshot.
 *
 * @returns the accounts one after the other. If the caller stops early, the connection is closed
 */
export async function* everyAccount(
  tx: Tx,
  importSupplierId: number,
): AsyncGenerator<ListedAccount, void, undefined> {
  const arrivingRows = runArriving(tx, EVERY_ACCOUNT, {
    import_supplier_id: importSupplierId,
    organisation_id: null,
    count_max: null,
  });
  let listed: AccountRow['content'] | undefined;
  const contents = readAccounts(arrivingRows, (account, row) => {
    if (row.section === 'account') listed = row.content;
    else account.add(row);
  });
  for await (const content of contents) {
    if (!listed) throw new Error('An account was read without its state.');
    yield { state: listed.state, differs: listed.differs, content };
    listed = undefined;
  }
}
