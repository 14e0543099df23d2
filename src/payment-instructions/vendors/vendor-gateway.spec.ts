import { Logger } from '@nestjs/common';
import { AppError } from '../../infrastructure/errors/errors.js';
import {
  VendorRefusal,
  VendorUnavailable,
  type InstructionDetails,
  type PaymentVendor,
  type VendorCall,
} from './payment-vendor.js';
import { tryTimeoutMs, VendorGateway } from './vendor-gateway.js';

const { jest } = import.meta;

const REQUEST_TIMEOUT_MS = 10_000;
const REQUESTS_MAX = 30;
const OPEN_MS = REQUEST_TIMEOUT_MS / 2;
const CARD: InstructionDetails = { kind: 'card', kept: { last_four: '4242' } };

type Find = PaymentVendor['find'];

const works: Find = () => Promise.resolve(CARD);
const fails: Find = () => Promise.reject(new VendorUnavailable('not now'));
const refuses: Find = () => Promise.reject(new VendorRefusal('refused', 'never'));
const isSilent: Find = () => new Promise(() => undefined);

/** A vendor with scripted behaviour behind its own gateway. */
class Scene {
  behaviour: Find = works;
  readonly calls: VendorCall[] = [];
  readonly gateway: VendorGateway;

  constructor() {
    const find: Find = (reference, call) => {
      this.calls.push(call);
      return this.behaviour(reference, call);
    };
    this.gateway = new VendorGateway([{ name: 'ACME', find }], {
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      requestsMax: REQUESTS_MAX,
    });
  }

  /** Send a request and advance the clock until it is answered. */
  async request(behaviour: Find): Promise<unknown> {
    this.behaviour = behaviour;
    const progress = { isAnswered: false };
    const answer = this.start().finally(() => {
      progress.isAnswered = true;
    });
    while (!progress.isAnswered) await jest.advanceTimersToNextTimerAsync();
    return answer;
  }

  /** Send a request without advancing the clock. @returns the instruction, or the code of the error */
  start(): Promise<unknown> {
    return this.gateway
      .find('ACME', 'pm_1', { requestId: 'request-1' })
      .catch((error: unknown) => (error instanceof AppError ? (error.errors[0]?.code ?? error.code) : error));
  }

  /** Open the circuit breaker and clear the list of calls. */
  async breakDown(): Promise<void> {
    for (let request = 1; request <= 5; request += 1) await this.request(fails);
    this.calls.length = 0;
  }
}

describe('the gateway to payment vendors', () => {
  let scene: Scene;

  beforeEach(() => {
    jest.useFakeTimers();
    Logger.overrideLogger(false);
    scene = new Scene();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['longest', 0.999_999],
    ['shortest', 0],
  ])(
    'fits three tries that time out, with the %s pauses, into the time for one request (P4)',
    async (_case, random) => {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const startedAt = Date.now();
      await scene.request(isSilent);
      const tookMs = Date.now() - startedAt;
      expect(scene.calls.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
      expect(tookMs).toBeGreaterThanOrEqual(3 * tryTimeoutMs(REQUEST_TIMEOUT_MS));
      expect(tookMs).toBeLessThanOrEqual(REQUEST_TIMEOUT_MS);
    },
  );

  it('makes the second pause up to twice as long as the first (P4)', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const times: number[] = [];
    await scene.request(() => {
      times.push(Date.now());
      throw new VendorUnavailable('not now');
    });
    expect([times[1]! - times[0]!, times[2]! - times[1]!]).toEqual([150, 300]);
  });

  it('rethrows an unexpected error without a retry (engineering rule)', async () => {
    const bug = new TypeError('x is not a function');
    expect(await scene.request(() => Promise.reject(bug))).toBe(bug);
    expect(scene.calls).toHaveLength(1);
  });

  it('does not count rejected requests as failures of the vendor (P4)', async () => {
    const answers: ((details: InstructionDetails) => void)[] = [];
    scene.behaviour = () => new Promise((resolve) => answers.push(resolve));
    const running = Array.from({ length: REQUESTS_MAX }, () => scene.start());
    await jest.advanceTimersByTimeAsync(0);
    for (let request = 1; request <= 10; request += 1) {
      expect(await scene.start()).toBe('service_unavailable');
    }
    for (const answer of answers) answer(CARD);
    await Promise.all(running);
    expect(await scene.request(works)).toEqual(CARD);
  });

  describe('a vendor that is down', () => {
    it.each<[what: string, find: Find]>([
      ['a success', works],
      ['a refusal', refuses],
      ['no such instruction', () => Promise.resolve(undefined)],
    ])('is not a vendor that answered with %s in between (P4)', async (_case, find) => {
      for (let request = 1; request <= 4; request += 1) await scene.request(fails);
      await scene.request(find);
      for (let request = 1; request <= 4; request += 1) await scene.request(fails);
      scene.calls.length = 0;
      expect(await scene.request(works)).toEqual(CARD);
      expect(scene.calls).toHaveLength(1);
    });

    it('then gets one probe request, while other requests are still answered at once (P4)', async () => {
      await scene.breakDown();
      await jest.advanceTimersByTimeAsync(OPEN_MS);
      let answer: (details: InstructionDetails) => void = () => undefined;
      scene.behaviour = () =>
        new Promise((resolve) => {
          answer = resolve;
        });
      const probe = scene.start();
      expect(await scene.start()).toBe('payment_vendor_unavailable');
      expect(await scene.start()).toBe('payment_vendor_unavailable');
      expect(scene.calls).toHaveLength(1);
      answer(CARD);
      expect(await probe).toEqual(CARD);
      scene.behaviour = works;
      expect(await scene.start()).toEqual(CARD);
    });

    it.each<[what: string, find: Find]>([
      ['a success', works],
      ['a refusal', refuses],
    ])('gets every request again after %s, and may fail four times (P4)', async (_case, find) => {
      await scene.breakDown();
      await jest.advanceTimersByTimeAsync(OPEN_MS);
      await scene.request(find);
      for (let request = 1; request <= 4; request += 1) await scene.request(fails);
      expect(await scene.request(works)).toEqual(CARD);
    });

    it('gets no more requests when the probe fails (P4)', async () => {
      await scene.breakDown();
      await jest.advanceTimersByTimeAsync(OPEN_MS);
      expect(await scene.request(fails)).toBe('payment_vendor_unavailable');
      expect(scene.calls).toHaveLength(3);
      expect(await scene.request(works)).toBe('payment_vendor_unavailable');
      expect(scene.calls).toHaveLength(3);
    });
  });
});
