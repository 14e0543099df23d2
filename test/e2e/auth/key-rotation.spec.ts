import { createDatabase } from '../../support/database.js';
import { expectError } from '../../support/expect-error.js';
import { issueKey, obtain, obtained } from '../../support/graphql.js';
import { startService, type TestService } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { waitUntil } from '../../support/wait-until.js';

const OLD = 'the old key that signs the tokens of a test';
const NEW = 'the new key that signs the tokens of a test';
/** The steps in docs/operating/keys.md. The first key of a list signs. */
const STEPS = [`${OLD},${NEW}`, `${NEW},${OLD}`, NEW];

/** A token, and the refresh token that came with it. */
interface Tokens {
  readonly signedBy: string;
  readonly token: string;
  readonly refreshToken: string;
}

describe('two services on one database whose signing key is replaced', () => {
  const database = setUp(createDatabase);
  let apiKey: string;
  const services: TestService[] = [];
  const tokens: Tokens[] = [];
  /** Number of requests with a token, and the answers to the refused ones. */
  let sent = 0;
  const refused: unknown[] = [];

  const start = (TOKEN_SIGNING_KEY: string): Promise<TestService> =>
    startService({ TOKEN_SIGNING_KEY }, { database });
  const login = async (service: TestService, keys: string): Promise<void> => {
    tokens.push({ signedBy: keys.split(',')[0]!, ...(await obtained(service, { apiKey })) });
  };
  /** Send requests with all tokens to every running service. Resolves when all are answered. */
  const asked = async (): Promise<void> => {
    const before = sent;
    await waitUntil('everybody was answered', () => sent > before + 4 * tokens.length);
  };
  const load = async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      for (const { token, refreshToken } of [...tokens]) {
        for (const service of [...services]) {
          // The token is checked before the body.
          const { status, body } = await service.post('notes/create/', token, {});
          if (status !== 400) refused.push(body);
          const renewed = await obtain(service, { refreshToken });
          if (renewed.body.errors) refused.push(renewed.body.errors);
          sent += 1;
        }
      }
    }
  };

  beforeAll(async () => {
    services.push(await start(OLD), await start(OLD));
    const { organisationId } = await services[0]!.given.organisation();
    ({ key: apiKey } = await issueKey(services[0]!, organisationId));
    await login(services[0]!, OLD);
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
  });

  it('refuse no token that is valid, at any moment (A3, A7)', async () => {
    let isOver = false;
    const loading = load(() => isOver);
    for (const keys of STEPS) {
      if (keys === NEW) {
        // REFRESH_TOKEN_TTL_SECONDS have passed: nobody has a valid token of the old key any more.
        const valid = tokens.filter(({ signedBy }) => signedBy === NEW);
        expect([valid.length, tokens.length]).toEqual([2, 5]);
        tokens.splice(0, tokens.length, ...valid);
        await asked();
      }
      for (const index of services.keys()) {
        const replacement = await start(keys);
        const [former] = services.splice(index, 1, replacement);
        await login(replacement, keys);
        await asked();
        await former!.stop();
      }
    }
    isOver = true;
    await loading;
    expect(refused).toEqual([]);
  });

  it('refuse every token of the old key once it is removed (A7)', async () => {
    const old = await start(OLD);
    const { token } = await obtained(old, { apiKey });
    await old.stop();
    for (const service of services) {
      expectError(await service.post('notes/create/', token, {}), 401, 'authentication_failed');
    }
  });
});
