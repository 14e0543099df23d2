import { jest } from '@jest/globals';
import { NodeCircuitBreaker } from './node-circuit-breaker.js';

const AWAY = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
/** The coordinator's message about the same outage. */
const AWAY_BEHIND = Object.assign(
  new Error(
    'connection to the remote node service@worker-1.internal:5432 failed with the following error: timeout',
  ),
  { code: '08006' },
);
const WRONG = Object.assign(new Error('invalid input'), { code: '22P02' });

describe('queries on a node that is unavailable', () => {
  let now: number;
  let breaker: NodeCircuitBreaker;
  const answered = (): Promise<string> => Promise.resolve('answer');
  const failing = (error: Error) => (): Promise<string> => Promise.reject(error);

  beforeEach(() => {
    now = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    breaker = new NodeCircuitBreaker();
  });

  it.each([
    ['the service', AWAY],
    ['the coordinator', AWAY_BEHIND],
  ])('fail at once for two seconds if %s cannot reach it', async (_who, error) => {
    await expect(breaker.run(failing(error))).rejects.toBe(error);
    now += 1_999;
    const work = jest.fn(answered);
    await expect(breaker.run(work)).rejects.toBe(error);
    expect(work).not.toHaveBeenCalled();
  });

  it('are then tried one at a time, while the others wait for its outcome', async () => {
    await expect(breaker.run(failing(AWAY))).rejects.toBe(AWAY);
    now += 2_000;
    let end!: (answer: string) => void;
    const trial = new Promise<string>((resolve) => {
      end = resolve;
    });
    const first = breaker.run(() => trial);
    const work = jest.fn(answered);
    const others = [breaker.run(work), breaker.run(work)];
    await Promise.resolve();
    expect(work).not.toHaveBeenCalled();
    end('back');
    await expect(first).resolves.toBe('back');
    await expect(Promise.all(others)).resolves.toEqual(['answer', 'answer']);
  });

  it('fail with the trial if the node is still unavailable, and are then not sent for two seconds', async () => {
    await expect(breaker.run(failing(AWAY))).rejects.toBe(AWAY);
    now += 2_000;
    const work = jest.fn(answered);
    const outcomes = await Promise.allSettled([breaker.run(failing(AWAY)), breaker.run(work)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    now += 1_999;
    await expect(breaker.run(work)).rejects.toBe(AWAY);
    expect(work).not.toHaveBeenCalled();
  });

  it('are sent again as soon as the node answers, even with an error', async () => {
    await expect(breaker.run(failing(AWAY))).rejects.toBe(AWAY);
    now += 2_000;
    await expect(breaker.run(failing(WRONG))).rejects.toBe(WRONG);
    await expect(breaker.run(answered)).resolves.toBe('answer');
  });

  it.each([
    ['a refusal', WRONG],
    [
      'a timeout',
      Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    ],
  ])('are always sent after %s', async (_what, error) => {
    await expect(breaker.run(failing(error))).rejects.toBe(error);
    await expect(breaker.run(answered)).resolves.toBe('answer');
  });
});
