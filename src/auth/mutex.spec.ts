import { Mutex } from './mutex.js';

/** A promise, and the function that resolves it. */
function gate(): { opened: Promise<object>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<object>((resolve) => {
    open = () => {
      resolve({});
    };
  });
  return { opened, open };
}

describe('the mutex', () => {
  it('runs calls with the same key one at a time, in order, also after one that failed (A9)', async () => {
    const mutex = new Mutex();
    const events: string[] = [];
    const work = (name: string, fails: boolean) => async (): Promise<object> => {
      events.push(`${name} starts`);
      await new Promise(setImmediate);
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return {};
    };
    const results = await Promise.allSettled([
      mutex.runExclusive('key', work('first', false)),
      mutex.runExclusive('key', work('second', true)),
      mutex.runExclusive('key', work('third', false)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(events).toEqual(
      ['first', 'second', 'third'].flatMap((name) => [`${name} starts`, `${name} ends`]),
    );
  });

  it('does not let one key wait for another (A9)', async () => {
    const mutex = new Mutex();
    const { opened, open } = gate();
    const held = mutex.runExclusive('held', () => opened);
    expect(await mutex.runExclusive('free', () => Promise.resolve({ done: true }))).toEqual({ done: true });
    open();
    await held;
  });
});
