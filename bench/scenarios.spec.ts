import type { Answer } from './driver.js';
import { inTurn, SCENARIOS } from './scenarios.js';

function answer(status: number, body: unknown): Answer {
  return { status, body: Buffer.from(JSON.stringify(body)), firstByteMs: 1, totalMs: 1 };
}

const [oneTransaction] = SCENARIOS;

function rightAnswer(index: number): {
  results: { status: string; transaction_data: Record<string, unknown> }[];
} {
  const { call } = oneTransaction!.exchange(index, inTurn);
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
      const { verify } = exchange(0, inTurn);
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
    const { verify } = oneTransaction!.exchange(0, inTurn);
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

  it.each(SCENARIOS.filter(({ stores }) => stores).map((scenario) => [scenario.name, scenario]))(
    'never sends the same request twice: %s',
    (_name, { exchange }) => {
      const bodies = Array.from(
        { length: 200 },
        (_, index) => exchange(index, () => 'one account').call.body,
      );
      expect(new Set(bodies).size).toBe(bodies.length);
    },
  );
});
