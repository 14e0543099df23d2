import type { Answer } from './driver.js';
import { inTurn, NO_NUMBERS, SCENARIOS } from './scenarios.js';
import { accountNumber } from './world.js';

function answer(status: number, body: unknown): Answer {
  return { status, body: Buffer.from(JSON.stringify(body)), firstByteMs: 1, totalMs: 1 };
}

const [oneTransaction] = SCENARIOS;

function rightAnswer(index: number): {
  results: { status: string; transaction_data: Record<string, unknown> }[];
} {
  const { call } = oneTransaction!.exchange(index, inTurn, NO_NUMBERS);
  const { transactions } = JSON.parse(call.body!) as {
    transactions: (Record<string, unknown> & { amount: number })[];
  };
  const results = transactions.map((transaction) => ({
    status: 'TRANSACTION_ADDED_TO_ACCOUNT',
    transaction_data: {
      ...transaction,
      amount: transaction.amount.toFixed(2),
      status: 'TRANSACTION_IMPORT_SUCCESS',
    },
  }));
  return { results };
}

describe('the scenarios of the benchmark', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario]))(
    'takes no empty answer and no failure for a good one: %s',
    (_name, { exchange }) => {
      const { verify } = exchange(0, inTurn, NO_NUMBERS);
      for (const wrong of [
        answer(200, {}),
        answer(201, {}),
        answer(200, []),
        answer(500, {}),
        answer(400, {}),
      ]) {
        expect(() => {
          verify(wrong);
        }).toThrow();
      }
    },
  );

  it('takes the right answer, and none whose status or content differs', () => {
    const { verify } = oneTransaction!.exchange(0, inTurn, NO_NUMBERS);
    verify(answer(201, rightAnswer(0)));
    const skipped = rightAnswer(0);
    skipped.results[0]!.status = 'TRANSACTION_ALREADY_EXISTS';
    const another = rightAnswer(1);
    for (const wrong of [skipped, another]) {
      expect(() => {
        verify(answer(201, wrong));
      }).toThrow();
    }
  });

  it('takes no other account’s number for the right one', () => {
    const numbers = new Map([0, 1].map((position) => [accountNumber(position), `A-0000000${position}`]));
    const status = SCENARIOS.find(({ name }) => name === 'status')!;
    const completed = (number: string): Answer =>
      answer(200, { status: 'COMPLETED', service_account_number: number });
    // The second answer is not one of those that are also read as JSON.
    for (const [index, right, wrong] of [
      [0, 'A-00000000', 'A-00000001'],
      [1, 'A-00000001', 'A-00000000'],
    ] as const) {
      const { verify } = status.exchange(index, inTurn, numbers);
      verify(completed(right));
      expect(() => {
        verify(completed(wrong));
      }).toThrow();
    }
  });

  it('takes no constant answer for different requests', () => {
    const { verify } = oneTransaction!.exchange(1, inTurn, NO_NUMBERS);
    verify(answer(201, rightAnswer(1)));
    expect(() => {
      verify(answer(201, rightAnswer(2)));
    }).toThrow();
  });

  // What is already added repeats itself on purpose.
  const storing = SCENARIOS.filter(({ name, stores }) => stores && name !== 'already-added-20');
  it.each(storing.map((scenario) => [scenario.name, scenario]))(
    'never sends the same request twice: %s',
    (_name, { exchange }) => {
      const bodies = Array.from(
        { length: 200 },
        (_, index) => exchange(index, () => 'one account', NO_NUMBERS).call.body,
      );
      expect(new Set(bodies).size).toBe(bodies.length);
    },
  );
});
