import type { Clock } from './clock.js';
import { ApiKeyRefusedError, ConnectionError, ServiceError } from './errors.js';
import { Tokens, type ApiKey, type ObtainInput, type ServiceToken } from './tokens.js';

const KEY = 'adi_live_key';
const refused = (code: string): ServiceError => new ServiceError({ code, detail: 'No.', status: 401 });
const lost = new ConnectionError({ code: 'connection_failed', detail: '', retryable: true });

/** Tokens with a fake of the service. A token is valid for 1,000 seconds, a refresh token for 5,000. */
function given(apiKey: ApiKey = KEY): {
  tokens: Tokens;
  calls: ObtainInput[];
  answers: (Error | undefined)[];
  at: (seconds: number) => void;
} {
  const calls: ObtainInput[] = [];
  const answers: (Error | undefined)[] = [];
  let nowMs = 77;
  const clock: Clock = { now: () => nowMs, sleep: () => Promise.resolve(), random: () => 0 };
  // Unrelated to the client's clock: only differences count.
  const iat = 1_000_000;
  const obtain = (input: ObtainInput): Promise<ServiceToken> => {
    calls.push(input);
    const failure = answers.shift();
    if (failure) return Promise.reject(failure);
    const token = `token ${calls.length}`;
    const refresh = { refreshToken: `refresh ${calls.length}`, refreshExpiresIn: iat + 5_000 };
    return Promise.resolve({ token, payload: { iat, exp: iat + 1_000 }, ...refresh });
  };
  const at = (seconds: number): void => {
    nowMs = 77 + seconds * 1_000;
  };
  return { tokens: new Tokens(apiKey, obtain, clock), calls, answers, at };
}

describe('the token', () => {
  it('is obtained once for all waiting calls, and kept until shortly before it expires', async () => {
    const { tokens, calls, at } = given();
    expect(await Promise.all([tokens.current(), tokens.current(), tokens.current()])).toEqual(
      Array(3).fill('token 1'),
    );
    at(939);
    expect(await tokens.current()).toBe('token 1');
    at(940);
    expect(await Promise.all([tokens.current(), tokens.current()])).toEqual(['token 2', 'token 2']);
    expect(calls).toEqual([{ apiKey: KEY }, { refreshToken: 'refresh 1' }]);
  });

  it('is obtained with the API key when the refresh token has expired or is rejected', async () => {
    const { tokens, calls, answers, at } = given();
    await tokens.current();
    at(5_000);
    await tokens.current();
    at(6_000);
    answers.push(refused('refresh_token_invalid'));
    expect(await tokens.current()).toBe('token 4');
    expect(calls).toEqual([{ apiKey: KEY }, { apiKey: KEY }, { refreshToken: 'refresh 2' }, { apiKey: KEY }]);
  });

  it('is replaced after it was discarded, unless another one has already replaced it', async () => {
    const { tokens, calls } = given();
    const first = await tokens.current();
    tokens.discard(first, true);
    expect(await tokens.current()).toBe('token 2');
    tokens.discard(first, true);
    expect(await tokens.current()).toBe('token 2');
    tokens.discard('token 2', false);
    expect(await tokens.current()).toBe('token 3');
    expect(calls).toEqual([{ apiKey: KEY }, { refreshToken: 'refresh 1' }, { apiKey: KEY }]);
  });

  it('is requested again after a failure that is not about the key', async () => {
    const { tokens, answers } = given();
    answers.push(lost);
    await expect(tokens.current()).rejects.toBe(lost);
    expect(await tokens.current()).toBe('token 2');
  });

  it('is still obtained for other calls when one of them is aborted', async () => {
    const { tokens, calls } = given();
    const stop = new AbortController();
    const [stopped, other] = [tokens.current(stop.signal), tokens.current()];
    stop.abort(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(await other).toBe('token 1');
    expect(calls).toHaveLength(1);
  });
});

describe('a rejected API key', () => {
  it.each(['authentication_failed', 'throttled', 'invalid_input'])(
    'is not sent again (%s), and is in no error',
    async (code) => {
      const { tokens, calls, answers } = given();
      answers.push(refused(code));
      for (let turn = 0; turn < 3; turn += 1) {
        const error: unknown = await tokens.current().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ApiKeyRefusedError);
        expect(error).toMatchObject({ code: 'api_key_refused', retryable: false });
        expect(String(error)).not.toContain(KEY);
      }
      expect(calls).toHaveLength(1);
    },
  );

  it('is not sent again, and neither is the refresh token that was rejected before it', async () => {
    const { tokens, calls, answers, at } = given();
    await tokens.current();
    at(1_000);
    answers.push(refused('token_revoked'), refused('authentication_failed'));
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(tokens.current()).rejects.toThrow(ApiKeyRefusedError);
    }
    expect(calls).toEqual([{ apiKey: KEY }, { refreshToken: 'refresh 1' }, { apiKey: KEY }]);
  });

  it('is replaced by the next key that the function returns', async () => {
    const keys = ['old', 'old', 'new'];
    const { tokens, calls, answers } = given(() => Promise.resolve(keys.shift()!));
    answers.push(refused('authentication_failed'));
    await expect(tokens.current()).rejects.toThrow(ApiKeyRefusedError);
    await expect(tokens.current()).rejects.toThrow(ApiKeyRefusedError);
    expect(await tokens.current()).toBe('token 2');
    expect(calls).toEqual([{ apiKey: 'old' }, { apiKey: 'new' }]);
  });
});
