import type { ServiceNumbers, Stored } from '../contenders/contender.js';
import {
  ACCOUNTS,
  OPEN_STATEMENT_FROM,
  PENDING_SUPPLIER,
  SUPPLIER,
  accountNumber,
} from '../contenders/fixture.js';
import { DATA_IMPORT, expectEqual, expecting, post, rowsOf, type StoringExchange } from './answers.js';
import { items, supplyCharge, transaction, type Item } from './items.js';

/** A row of the benchmark's table. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly itemsPerRequest: number;
  readonly connections: number;
  /** The kind of rows that its requests store; absent for a scenario that only reads. */
  readonly stores?: Stored;
  /** Requests sent once before the first window. */
  readonly primer?: Pick<Scenario, 'exchange'> & { readonly requests: number };
  /** Whether its answers contain service account numbers, which are then verified. */
  readonly namesServiceNumbers?: true;
  /** Highest allowed ratio of processor time, new build to old build, service and PostgreSQL together. */
  readonly cpuRatioMax?: number;
  /** @param index 0, 1, 2, …; each makes a different request, except in the scenario about repeated requests */
  readonly exchange: (index: number, accounts: AccountPicker, numbers: ServiceNumbers) => StoringExchange;
}

/** Chooses the account of a request. @returns an external account number */
export type AccountPicker = (index: number) => string;

/** All accounts in order of their numbers, repeatedly. */
export const sequential: AccountPicker = (index) => accountNumber(index % ACCOUNTS);

const CONNECTIONS = 8;
const CONNECTIONS_OF_LARGE_REQUESTS = 4;

/** For requests whose fixed cost dominates. */
const CPU_RATIO_MAX_OF_SMALL_REQUESTS = 1.12;

/**
 * A request with transactions whose results all have the given status.
 *
 * @param prefix of the ids of these transactions only
 */
function transactionsExchange(
  index: number,
  account: string,
  prefix: string,
  transactions: readonly Item[],
  status: 'TRANSACTION_ADDED_TO_ACCOUNT' | 'TRANSACTION_ALREADY_EXISTS',
): StoringExchange {
  return expecting(index, post('transactions', account, { transactions }), {
    status: 201,
    counts: {
      [status]: transactions.length,
      TRANSACTION_IMPORT_SUCCESS: transactions.length,
      [`"${prefix}`]: transactions.length,
    },
    ...(status === 'TRANSACTION_ADDED_TO_ACCOUNT' && {
      adds: rowsOf(transactions, ({ amount }) => amount as number),
    }),
    inspect: (body) => {
      const expected = transactions.map(({ amount, ...rest }) => [
        status,
        rest.transaction_id,
        (amount as number).toFixed(2),
        rest.line_items,
      ]);
      const { results } = body as { results: { status: string; transaction_data: Item }[] };
      const actual = results.map(({ status: itsStatus, transaction_data: data }) => [
        itsStatus,
        data.transaction_id,
        data.amount,
        data.line_items,
      ]);
      expectEqual(actual, expected, 'results');
    },
  });
}

function transactionsScenario(
  name: string,
  title: string,
  count: number,
  make: (id: string, position: number) => Item,
  connections = CONNECTIONS,
): Scenario {
  return {
    name,
    title,
    itemsPerRequest: count,
    connections,
    stores: 'transactions',
    exchange: (index, accounts) => {
      const prefix = `${name}-${index}-`;
      const transactions = items(count, (position) => make(`${prefix}${position}`, position));
      return transactionsExchange(
        index,
        accounts(index),
        prefix,
        transactions,
        'TRANSACTION_ADDED_TO_ACCOUNT',
      );
    },
  };
}

/** Number of distinct requests, each of which is repeated. */
const REPEATED_REQUESTS = 500;

function alreadyAdded(
  index: number,
  accounts: AccountPicker,
  status: Parameters<typeof transactionsExchange>[4],
): StoringExchange {
  const original = index % REPEATED_REQUESTS;
  const prefix = `already-${original}-`;
  const transactions = items(20, (position) => transaction(`${prefix}${position}`, position));
  return transactionsExchange(index, accounts(original), prefix, transactions, status);
}

/** For a request whose dates are all moved: it makes two queries, and earlier builds made one. */
const CPU_RATIO_MAX_OF_MOVED_DATES = 1.4;

/** Before the open statement period of every account. */
const OUTSIDE_DAY = '2019-12-31';

function allMoved(index: number, accounts: AccountPicker): StoringExchange {
  const prefix = `moved-${index}-`;
  const transactions = items(20, (position) => ({
    ...transaction(`${prefix}${position}`, position),
    transaction_date: OUTSIDE_DAY,
  }));
  return expecting(index, post('transactions', accounts(index), { transactions }), {
    status: 201,
    counts: {
      TRANSACTION_ADDED_TO_ACCOUNT: 20,
      [`"transaction_date":"${OPEN_STATEMENT_FROM}"`]: 20,
      [`"${prefix}`]: 20,
    },
    adds: rowsOf(transactions, ({ amount }) => amount as number),
    inspect: () => undefined,
  });
}

function oneInvalid(index: number, accounts: AccountPicker): StoringExchange {
  const transactions = items(20, (position) => ({
    ...transaction(`invalid-${index}-${position}`, position),
    ...(position === 13 && { transaction_date: '2025-02-30' }),
  }));
  // The answers of different builds differ, but all contain the path of the invalid field.
  return expecting(index, post('transactions', accounts(index), { transactions }), {
    status: 400,
    counts: { 'transactions.13.transaction_date': 1 },
    inspect: () => undefined,
  });
}

function fiveNotes(index: number, accounts: AccountPicker): StoringExchange {
  const bodies = Array.from(
    { length: 5 },
    (_, position) => `Call ${index}-${position}: the customer asked about the meter reading of last month.`,
  );
  const notes = bodies.map((body, position) => ({
    body,
    ...(position < 3 && { created_at: `2025-06-1${position}T08:30:00Z` }),
    ...(position === 4 && { is_pinned: true }),
  }));
  return expecting(index, post('notes', accounts(index), { notes }), {
    status: 201,
    counts: { NOTE_CREATION_SUCCESS: 5, [`"Call ${index}-`]: 5 },
    adds: rowsOf(bodies, ({ length }) => length),
    inspect: (body) => {
      const results = body as { body: string; created_at: string }[];
      expectEqual(
        results.map((result) => result.body),
        bodies,
        'note bodies',
      );
      expectEqual(results[1]?.created_at, notes[1]?.created_at, 'created_at');
    },
  });
}

function twelveStatements(index: number, accounts: AccountPicker): StoringExchange {
  const statements = items(12, (position) => {
    const month = String(1 + position).padStart(2, '0');
    return {
      bill_period_from_date: `2025-${month}-01`,
      bill_period_to_date: `2025-${month}-28`,
      statement_id: `statement-${index}-${position}`,
      issued_date: `2025-${month}-28`,
      number: `${index}/${position}`,
      gross_amount: 84.5 + position,
      statement_path: `2025/${month}/statement-${index}.pdf`,
    };
  });
  const call = post('historical-statements', accounts(index), { statements });
  return expecting(index, call, {
    status: 201,
    counts: { '"statement_id"': 12, [`"statement-${index}-`]: 12 },
    adds: rowsOf(statements, ({ gross_amount: amount }) => amount as number),
    inspect: (body) => {
      expectEqual((body as { statements: Item[] }).statements, statements, 'statements');
    },
  });
}

function paymentInstruction(index: number, accounts: AccountPicker): StoringExchange {
  const reference = `ok_${index}`;
  const call = post('payment-instruction', accounts(index), { vendor: 'SANDBOX', reference, type: 'CARD' });
  return expecting(index, call, {
    status: 201,
    counts: { '"service_account_number"': 1, [`"${reference}"`]: 1 },
    adds: { count: 1, total: 0 },
    inspect: (body) => {
      expectEqual((body as Item).reference, reference, 'reference');
    },
  });
}

function status(index: number, accounts: AccountPicker, numbers: ServiceNumbers): StoringExchange {
  const account = accounts(index);
  const path = `${DATA_IMPORT}/account-transfer-status/${SUPPLIER}/${account}/`;
  const number = numbers.get(account);
  return expecting(
    index,
    { method: 'GET', path },
    {
      status: 200,
      counts: { COMPLETED: 1, [`"${number}"`]: 1 },
      inspect: (body) => {
        expectEqual((body as Item).service_account_number, number, 'service_account_number');
      },
    },
  );
}

function listScenario(filter: 'all' | 'pending' | 'imported'): Scenario {
  const supplier = filter === 'pending' ? PENDING_SUPPLIER : SUPPLIER;
  const path = `${DATA_IMPORT}/${filter}-account-import-processes/${supplier}/`;
  return {
    name: `list-${filter}`,
    title: `${filter} list of ${ACCOUNTS.toLocaleString('en')} accounts`,
    itemsPerRequest: ACCOUNTS,
    connections: CONNECTIONS,
    cpuRatioMax: 1,
    namesServiceNumbers: true,
    exchange: (index, _accounts, numbers) =>
      expecting(
        index,
        { method: 'GET', path },
        {
          status: 200,
          counts: {
            '"external_account_number"': ACCOUNTS,
            '"service_account_number":null': filter === 'pending' ? ACCOUNTS : 0,
          },
          inspect: (body) => {
            const listed = (body as Item[]).map(({ external_account_number: account, ...rest }) => [
              account,
              rest.service_account_number,
            ]);
            const expected = Array.from({ length: ACCOUNTS }, (_, position) => {
              const account = accountNumber(position);
              return [account, filter === 'pending' ? null : numbers.get(account)];
            });
            expectEqual(listed, expected, 'list');
          },
        },
      ),
  };
}

/** The rows of the table, in order. */
export const SCENARIOS: readonly Scenario[] = [
  {
    ...transactionsScenario('transactions-1', '1 transaction a request', 1, transaction),
    cpuRatioMax: CPU_RATIO_MAX_OF_SMALL_REQUESTS,
  },
  transactionsScenario('transactions-20', '20 transactions a request', 20, transaction),
  transactionsScenario(
    'transactions-500',
    '500 transactions a request',
    500,
    transaction,
    CONNECTIONS_OF_LARGE_REQUESTS,
  ),
  transactionsScenario('supply-charges-20', '20 supply charges with line and tax items', 20, supplyCharge),
  {
    name: 'already-added-20',
    title: '20 already added',
    itemsPerRequest: 20,
    connections: CONNECTIONS,
    cpuRatioMax: CPU_RATIO_MAX_OF_SMALL_REQUESTS,
    primer: {
      requests: REPEATED_REQUESTS,
      exchange: (index, accounts) => alreadyAdded(index, accounts, 'TRANSACTION_ADDED_TO_ACCOUNT'),
    },
    stores: 'transactions',
    exchange: (index, accounts) => alreadyAdded(index, accounts, 'TRANSACTION_ALREADY_EXISTS'),
  },
  {
    name: 'moved-20',
    title: '20 whose dates are moved',
    itemsPerRequest: 20,
    connections: CONNECTIONS,
    stores: 'transactions',
    cpuRatioMax: CPU_RATIO_MAX_OF_MOVED_DATES,
    exchange: allMoved,
  },
  {
    name: 'invalid-20',
    title: '20 of which one is invalid (400)',
    itemsPerRequest: 20,
    connections: CONNECTIONS,
    cpuRatioMax: 1,
    stores: 'transactions',
    exchange: oneInvalid,
  },
  {
    name: 'notes-5',
    title: '5 notes',
    itemsPerRequest: 5,
    connections: CONNECTIONS,
    stores: 'notes',
    exchange: fiveNotes,
  },
  {
    name: 'statements-12',
    title: '12 statements',
    itemsPerRequest: 12,
    connections: CONNECTIONS,
    stores: 'statements',
    exchange: twelveStatements,
  },
  {
    name: 'payment-instruction',
    title: 'payment instruction, sandbox vendor',
    itemsPerRequest: 1,
    connections: CONNECTIONS,
    stores: 'payment_instructions',
    exchange: paymentInstruction,
  },
  {
    name: 'status',
    title: 'status',
    itemsPerRequest: 1,
    connections: CONNECTIONS,
    cpuRatioMax: CPU_RATIO_MAX_OF_SMALL_REQUESTS,
    namesServiceNumbers: true,
    exchange: status,
  },
  listScenario('all'),
  listScenario('pending'),
  listScenario('imported'),
];

/** @throws Error when there is no scenario of this name */
export function scenarioOf(wanted: string): Scenario {
  const scenario = SCENARIOS.find(({ name }) => name === wanted);
  if (!scenario) throw new Error(`The scenario ${wanted} does not exist.`);
  return scenario;
}
