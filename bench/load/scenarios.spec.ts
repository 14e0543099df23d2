import { accountNumber } from '../contenders/fixture.js';
import { NO_NUMBERS } from './answers.js';
import type { Answer } from './driver.js';
import { SCENARIOS, sequential } from './scenarios.js';

function answer(status: number, body: unknown): Answer {
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)), firstByteMs: 1, totalMs: 1 };
}

const [oneTransaction] = SCENARIOS;

function correctAnswer(index: number): {
  results: { status: string; transaction_data: Record<string, unknown> }[];
} {
  const { call } = oneTransaction!.exchange(index, sequential, NO_NUMBERS);
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
    'rejects empty answers and failures: %s',
    (_name, { exchange }) => {
      const { verify } = exchange(0, sequential, NO_NUMBERS);
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

  it('accepts the right answer and rejects one with another status or content', () => {
    const { verify } = oneTransaction!.exchange(0, sequential, NO_NUMBERS);
    verify(answer(201, correctAnswer(0)));
    const skipped = correctAnswer(0);
    skipped.results[0]!.status = 'TRANSACTION_ALREADY_EXISTS';
    const another = correctAnswer(1);
    for (const wrong of [skipped, another]) {
      expect(() => {
        verify(answer(201, wrong));
      }).toThrow();
    }
  });

  it('rejects the service account number of another account', () => {
    const numbers = new Map([0, 1].map((position) => [accountNumber(position), `A-0000000${position}`]));
    const status = SCENARIOS.find(({ name }) => name === 'status')!;
    const completed = (number: string): Answer =>
      answer(200, { status: 'COMPLETED', service_account_number: number });
    // Only the first answer is also parsed.
    for (const [index, right, wrong] of [
      [0, 'A-00000000', 'A-00000001'],
      [1, 'A-00000001', 'A-00000000'],
    ] as const) {
      const { verify } = status.exchange(index, sequential, numbers);
      verify(completed(right));
      expect(() => {
        verify(completed(wrong));
      }).toThrow();
    }
  });

  // The scenario about repeated requests is the exception.
  const storing = SCENARIOS.filter(({ name, stores }) => stores && name !== 'already-added-20');
  it.each(storing.map((scenario) => [scenario.name, scenario]))(
    'sends different requests: %s',
    (_name, { exchange }) => {
      const bodies = Array.from(
        { length: 200 },
        (_, index) => exchange(index, () => 'one account', NO_NUMBERS).call.body,
      );
      expect(new Set(bodies).size).toBe(bodies.length);
    },
  );
});
