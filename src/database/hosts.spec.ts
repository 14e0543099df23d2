import type { DatabaseHost, SessionAttributes } from '../config/database-address.js';
import { Hosts, misfit, type Choice } from './hosts.js';

const { jest } = import.meta;

const [A, B, C] = ['a', 'b', 'c'].map((name): DatabaseHost => ({ name, url: `postgres://${name}/db` }));
const PRIMARY = { isStandby: false, isReadOnly: false };
const READ_ONLY_PRIMARY = { isStandby: false, isReadOnly: true };
const STANDBY = { isStandby: true, isReadOnly: false };

type State = typeof PRIMARY | 'down';

/** Hosts whose servers are what the test says, and the order in which they were asked. */
function hostsWith(states: Record<string, State>, wanted: SessionAttributes = 'read-write') {
  const asked: string[] = [];
  const probe = async ({ host, attributes }: Choice): Promise<void> => {
    asked.push(host.name);
    await Promise.resolve();
    const state = states[host.name] ?? 'down';
    if (state === 'down') throw new Error(`connect ECONNREFUSED ${host.name}`);
    const reason = misfit(state, attributes);
    if (reason !== undefined) throw new Error(reason);
  };
  const all = [A, B, C].filter((host) => host !== undefined && host.name in states) as DatabaseHost[];
  return { hosts: new Hosts(all, wanted, probe), asked, states };
}

describe('the choice of a server', () => {
  it('falls on the first that fits, and stays (O7)', async () => {
    const { hosts, asked } = hostsWith({ a: STANDBY, b: PRIMARY, c: PRIMARY });
    expect(hosts.chosen).toBeUndefined();
    expect(await hosts.choose()).toEqual({ host: B, attributes: 'read-write' });
    expect(await hosts.choose()).toBe(hosts.chosen);
    expect(asked).toEqual(['a', 'b']);
  });

  it('is made once for all who wait for it (O7)', async () => {
    const { hosts, asked } = hostsWith({ a: 'down', b: PRIMARY });
    const choices = await Promise.all([hosts.choose(), hosts.choose(), hosts.choose()]);
    expect(new Set(choices).size).toBe(1);
    expect(asked).toEqual(['a', 'b']);
  });

  it('is made again where a connection fails, the server that failed being the last (O7)', async () => {
    const { hosts, asked, states } = hostsWith({ a: PRIMARY, b: STANDBY, c: STANDBY });
    const first = await hosts.choose();
    const { generation } = hosts;
    [states.a, states.c] = ['down', PRIMARY];
    hosts.doubt(first);
    hosts.doubt(first);
    expect((await hosts.choose()).host).toBe(C);
    expect(asked).toEqual(['a', 'b', 'c']);
    expect(hosts.generation).toBeGreaterThan(generation);
    hosts.doubt(first);
    expect(hosts.chosen?.host).toBe(C);
  });

  it('keeps the connections of a server that only failed once (O7)', async () => {
    const { hosts } = hostsWith({ a: PRIMARY, b: STANDBY });
    const first = await hosts.choose();
    const { generation } = hosts;
    hosts.doubt(first);
    expect((await hosts.choose()).host).toBe(A);
    expect(hosts.generation).toBe(generation);
  });

  it('gives up the connections of a server that accepts no changes, once (O7)', async () => {
    const { hosts, states } = hostsWith({ a: PRIMARY, b: STANDBY });
    await hosts.choose();
    const { generation } = hosts;
    hosts.abandon(generation);
    hosts.abandon(generation);
    expect(hosts.generation).toBe(generation + 1);
    [states.a, states.b] = [STANDBY, PRIMARY];
    expect((await hosts.choose()).host).toBe(B);
  });

  it('fails with every server and its reason, as a database that is unavailable, and is tried again (O7)', async () => {
    const { hosts, states } = hostsWith({ a: 'down', b: STANDBY, c: READ_ONLY_PRIMARY });
    await expect(hosts.choose()).rejects.toMatchObject({
      code: '08001',
      message:
        'no host fits target_session_attrs=read-write: a (connect ECONNREFUSED a), b (it is a standby), c (its transactions are read-only)',
    });
    states.b = PRIMARY;
    expect((await hosts.choose()).host).toBe(B);
  });

  it('falls on a primary only for a while where a standby is preferred and there is none (O7)', async () => {
    const { hosts, asked, states } = hostsWith({ a: PRIMARY, b: 'down' }, 'prefer-standby');
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    expect(await hosts.choose()).toEqual({ host: A, attributes: 'any' });
    expect(asked).toEqual(['a', 'b', 'a']);
    states.b = STANDBY;
    now.mockReturnValue(29_999);
    expect(hosts.chosen?.host).toBe(A);
    now.mockReturnValue(30_000);
    expect(hosts.chosen).toBeUndefined();
    expect(await hosts.choose()).toEqual({ host: B, attributes: 'standby' });
    now.mockRestore();
  });

  it('is not made for one server that may be anything (O7)', () => {
    expect(hostsWith({ a: PRIMARY }, 'any').hosts.isGiven).toBe(true);
    expect(hostsWith({ a: PRIMARY }, 'primary').hosts.isGiven).toBe(false);
    expect(hostsWith({ a: PRIMARY, b: STANDBY }, 'any').hosts.isGiven).toBe(false);
  });
});

describe('a session', () => {
  it.each<[SessionAttributes, ...(string | undefined)[]]>([
    ['any', undefined, undefined, undefined],
    ['read-write', undefined, 'its transactions are read-only', 'it is a standby'],
    ['read-only', 'it accepts changes', undefined, undefined],
    ['primary', undefined, undefined, 'it is a standby'],
    ['standby', 'it is not a standby', 'it is not a standby', undefined],
    ['prefer-standby', undefined, undefined, undefined],
  ])('fits target_session_attrs=%s as in libpq (O7)', (wanted, ...reasons) => {
    expect([PRIMARY, READ_ONLY_PRIMARY, STANDBY].map((state) => misfit(state, wanted))).toEqual(reasons);
  });
});
