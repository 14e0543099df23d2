import { Mutex } from './mutex.js';

describe('turns', () => {
  it('lets one piece of work of a subject run at a time, in order, failed or not (A9)', async () => {
    const turns = new Mutex();
    const events: string[] = [];
    const work = (name: string, fails: boolean) => async (): Promise<object> => {
      events.push(`${name} begins`);
      await new Promise(setImmediate);
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return {};
    };
    const results = await Promise.allSettled([
      turns.take('subject', work('first', false)),
      turns.take('subject', work('second', true)),
      turns.take('subject', work('third', false)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(events).toEqual(
      ['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('does not let one subject wait for another (A9)', async () => {
    const turns = new Mutex();
    let release = (): void => undefined;
    const held = turns.take(
      'held',
      () =>
        new Promise<object>(
          (resolve) =>
            (release = () => {
              resolve({});
            }),
        ),
    );
    expect(await turns.take('free', () => Promise.resolve({ done: true }))).toEqual({ done: true });
    release();
    await held;
  });

  it('turns away what would wait behind a thousand others, and recovers (A9)', async () => {
    const turns = new Mutex();
    let release = (): void => undefined;
    const gate = new Promise<object>(
      (resolve) =>
        (release = () => {
          resolve({});
        }),
    );
    const waiting = Array.from({ length: 1_000 }, () => turns.take('subject', () => gate));
    expect(await turns.take('subject', () => Promise.resolve({}))).toBeUndefined();
    release();
    await Promise.all(waiting);
    expect(await turns.take('subject', () => Promise.resolve({ done: true }))).toEqual({ done: true });
  });
});
