import { inspect, types } from 'node:util';
import { Logger } from '@nestjs/common';
import type { Environment } from '../../../src/infrastructure/config/settings.js';
import { GoCardlessVendor } from '../../../src/payment-instructions/vendors/gocardless-vendor.js';
import { BODY_BYTES_MAX } from '../../../src/payment-instructions/vendors/payment-vendor.js';
import { StripeVendor } from '../../../src/payment-instructions/vendors/stripe-vendor.js';
import { onSingleNode } from '../../support/database.js';
import { expectError, expectInvalid } from '../../support/expect-error.js';
import {
  GOCARDLESS_MISSING,
  goCardlessError,
  goCardlessMandate,
  startFakeVendors,
  STRIPE_MISSING,
  stripeCard,
  stripeError,
  stripeMethod,
  type Behaviour,
} from '../../support/fake-vendors.js';
import {
  startService,
  unique,
  type AccountPair,
  type Reply,
  type TestService,
} from '../../support/service.js';
import { inBlock, setUp } from '../../support/set-up.js';

interface InstructionResult {
  service_account_number: string;
  reference: string;
}

const STRIPE_KEY = 'sk_test_only_the_tests_know';
const GOCARDLESS_TOKEN = 'token_only_the_tests_know';

describe('POST payment-instruction/create/', () => {
  const fake = setUp(startFakeVendors);
  const stripe = (): Record<string, string> => ({ STRIPE_API_KEY: STRIPE_KEY, STRIPE_API_URL: fake.url });
  /** With the default timeouts. */
  const service = setUp(() => {
    const goCardless = { GOCARDLESS_ACCESS_TOKEN: GOCARDLESS_TOKEN, GOCARDLESS_API_URL: fake.url };
    return startService({ ...stripe(), ...goCardless });
  });
  /** With less than half of the timeouts, and without a connection to GoCardless. */
  const withShortTimeout = setUp(() => startService({ ...stripe(), PAYMENT_VENDOR_TIMEOUT_MS: '4000' }));

  const createAt = (
    { post }: TestService,
    token: string,
    payload: unknown,
    query = '',
  ): Promise<Reply<InstructionResult>> =>
    post<InstructionResult>(`payment-instruction/create/${query}`, token, payload);
  const create = (token: string, payload: unknown, query = ''): Promise<Reply<InstructionResult>> =>
    createAt(service, token, payload, query);

  /** A unique identifier at a vendor. */
  const reference = (): string => unique('pm').replace('-', '_');
  const sandbox = (beginning: string): object => ({
    vendor: 'SANDBOX',
    reference: unique(`${beginning}_`),
    type: 'CARD',
  });
  const atStripe = (id: string, type = 'CARD'): object => ({ vendor: 'STRIPE', reference: id, type });
  const atGoCardless = (id: string, type = 'DIRECT_DEBIT'): object => ({
    vendor: 'GOCARDLESS',
    reference: id,
    type,
  });
  const VENDORS = ['STRIPE', 'GOCARDLESS'] as const;
  const at = { STRIPE: atStripe, GOCARDLESS: atGoCardless };

  interface StoredInstruction {
    vendor: string;
    reference: string;
    type: string;
    details: Record<string, unknown>;
    import_request_id: string;
    age_seconds: number;
  }

  function stored(
    { external_account_number }: AccountPair,
    { database }: TestService = service,
  ): Promise<StoredInstruction[]> {
    return database.sql<StoredInstruction>(
      `SELECT vendor, reference, type, details, import_request_id, extract(epoch FROM now() - verified_at)::float8 AS age_seconds
         FROM payment_instruction WHERE external_account_number = $1 ORDER BY vendor, reference`,
      [external_account_number],
    );
  }

  function gate(): { opened: Promise<void>; open: () => void } {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { opened, open };
  }

  describe('what is stored', () => {
    it('answers the account’s number and the reference, and stores the instruction (4.4, P6)', async () => {
      const { token, ref, serviceAccountNumber } = await service.given.importedAccount();
      const instruction = { vendor: 'SANDBOX', reference: 'ok_first', type: 'CARD' };
      const reply = await create(token, { ...ref, ...instruction });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({ service_account_number: serviceAccountNumber, reference: 'ok_first' });
      const [row] = await stored(ref);
      expect(row).toMatchObject({ ...instruction, details: {} });
      expect(row!.age_seconds).toBeLessThan(60);
    });

    it('keeps only those details of a Stripe card that cannot be used to pay (2.6, P3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, stripeCard(id));
      expect(await create(token, { ...ref, ...atStripe(id) })).toMatchObject({ status: 201 });
      expect((await stored(ref))[0]!.details).toEqual({
        kind: 'card',
        method: 'card',
        brand: 'visa',
        last_four: '4242',
        expiry_month: 8,
        expiry_year: 2029,
        funding: 'credit',
        country: 'US',
      });
      expect(fake.calls(id)).toEqual([
        { path: `/v1/payment_methods/${id}`, authorization: `Bearer ${STRIPE_KEY}` },
      ]);
    });

    it('keeps the scheme, country and last four digits of a Stripe direct debit (2.6)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      const sepa = { bank_code: '37040044', country: 'DE', fingerprint: 'x', last4: '3000' };
      fake.script(id, stripeMethod(id, 'sepa_debit', sepa));
      expect(await create(token, { ...ref, ...atStripe(id, 'DIRECT_DEBIT') })).toMatchObject({ status: 201 });
      expect((await stored(ref))[0]!.details).toEqual({
        kind: 'direct_debit',
        method: 'sepa_debit',
        last_four: '3000',
        country: 'DE',
      });
    });

    it.each([
      ...['acss_debit', 'au_becs_debit', 'bacs_debit', 'payto'],
      ...['nz_bank_account', 'sepa_debit', 'us_bank_account'],
    ])(
      'accepts %s at Stripe as a direct debit, even without digits and country (2.6, P3)',
      async (method) => {
        const { token, ref } = await service.given.importedAccount();
        const id = reference();
        fake.script(id, stripeMethod(id, method, { country: null }));
        const instruction = atStripe(id, 'DIRECT_DEBIT');
        expect(await create(token, { ...ref, ...instruction })).toMatchObject({ status: 201 });
        expect((await stored(ref))[0]!.details).toEqual({ kind: 'direct_debit', method });
      },
    );

    it('keeps only the name of any other Stripe method, and treats it as neither kind (2.6, P3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, stripeMethod(id, 'paypal', { payer_email: 'jenny@example.com', last4: '4242' }));
      for (const type of ['CARD', 'DIRECT_DEBIT']) {
        expectError(await create(token, { ...ref, ...atStripe(id, type) }), 400, 'validation_error', [
          ['payment_vendor_rejected', 'reference'],
        ]);
      }
      expect(await create(token, { ...ref, ...atStripe(id, 'CUSTOM') })).toMatchObject({ status: 201 });
      expect((await stored(ref))[0]!.details).toEqual({ kind: 'other', method: 'paypal' });
    });

    it.each([
      ['more than four digits', { last4: '37040044' }],
      ['a country that is none', { country: 'Germany' }],
    ])('accepts no direct debit at Stripe with %s (2.6, P3)', async (_what, details) => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, stripeMethod(id, 'sepa_debit', details));
      const reply = await create(token, { ...ref, ...atStripe(id, 'DIRECT_DEBIT') });
      expectInvalid(reply, ['payment_vendor_rejected', 'reference']);
      expect(JSON.stringify(reply.body)).toContain('cannot be read');
    });

    it('keeps the scheme, status and next charge date of a GoCardless mandate (2.6)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, goCardlessMandate(id));
      expect(await create(token, { ...ref, ...atGoCardless(id) })).toMatchObject({ status: 201 });
      expect((await stored(ref))[0]!.details).toEqual({
        kind: 'direct_debit',
        scheme: 'sepa_core',
        status: 'active',
        mandate_type: 'recurring',
        next_possible_charge_date: '2026-11-27',
      });
      expect(fake.calls(id)).toEqual([
        { path: `/mandates/${id}`, authorization: `Bearer ${GOCARDLESS_TOKEN}` },
      ]);
    });

    it('accepts the longest account number with the longest reference (T14)', async () => {
      // Random, so that the database cannot compress the index entry.
      const emoji = (count: number): string =>
        Array.from({ length: count }, () =>
          String.fromCodePoint(0x1f300 + Math.floor(Math.random() * 0x2ff)),
        ).join('');
      const { token, ref: longest } = await service.given.importedAccount({ number: emoji(128) });
      const payload = { ...longest, vendor: 'SANDBOX', reference: `ok_${emoji(509)}`, type: 'CARD' };
      expect(await create(token, payload)).toMatchObject({
        status: 201,
        body: { reference: payload.reference },
      });
      expect(await create(token, payload)).toMatchObject({ status: 201 });
      expect(await stored(longest)).toMatchObject([{ reference: payload.reference }]);
    });
  });

  describe('the same instruction again', () => {
    it('is answered the same without a request to the vendor, stored once (P2)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, stripeCard(id), STRIPE_MISSING);
      const first = await create(token, { ...ref, ...atStripe(id) });
      const second = await create(token, { ...ref, ...atStripe(id) });
      const dry = await create(token, { ...ref, ...atStripe(id) }, '?dry_run=true');
      for (const reply of [first, second, dry])
        expect(reply).toMatchObject({ status: 201, body: first.body });
      expect(fake.calls(id)).toHaveLength(1);
      expect(await stored(ref)).toMatchObject([{ reference: id, type: 'CARD' }]);
    });

    it('is refused with another type, without a request to the vendor, and nothing is changed (P2, R1)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, stripeCard(id), STRIPE_MISSING);
      await create(token, { ...ref, ...atStripe(id) });
      const before = await stored(ref);
      for (const [type, query] of [
        ['DIRECT_DEBIT', ''],
        ['CUSTOM', ''],
        ['DIRECT_DEBIT', '?dry_run=true'],
      ] as const) {
        const reply = await create(token, { ...ref, ...atStripe(id, type) }, query);
        expectInvalid(reply, ['payment_instruction_already_exists', 'type']);
      }
      expect(fake.calls(id)).toHaveLength(1);
      expect((await stored(ref)).map(({ type, import_request_id }) => [type, import_request_id])).toEqual(
        before.map(({ import_request_id }) => ['CARD', import_request_id]),
      );
    });

    it('is stored once when twelve concurrent requests have two types; those with the other type are refused (P2, section 4)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      const { opened, open } = gate();
      fake.script(id, { ...stripeCard(id), after: opened });
      const types = Array.from({ length: 12 }, (_, n) => ['CARD', 'CUSTOM'][n % 2]!);
      const replies = types.map((type) => create(token, { ...ref, ...atStripe(id, type) }));
      const dry = create(token, { ...ref, ...atStripe(id, 'CUSTOM') }, '?dry_run=true');
      // All have found nothing stored before any of them stores.
      await fake.arrived(id, 13);
      open();
      const answers = await Promise.all(replies);
      const [row, ...further] = await stored(ref);
      expect(further).toEqual([]);
      for (const [index, type] of types.entries()) {
        if (type === row!.type)
          expect(answers[index]).toMatchObject({ status: 201, body: { reference: id } });
        else {
          expectInvalid(answers[index]!, ['payment_instruction_already_exists', 'type']);
        }
      }
      expect([201, 400]).toContain((await dry).status);
      const requests = `SELECT FROM import_request WHERE external_account_number = $1`;
      expect(await service.database.sql(requests, [ref.external_account_number])).toHaveLength(1);
    });

    it('is answered even if its vendor is no longer configured (P2, P5)', async () => {
      const { token, ref, serviceAccountNumber } = await withShortTimeout.given.importedAccount();
      await withShortTimeout.database.sql(
        `INSERT INTO payment_instruction (import_supplier_id, external_account_number, vendor, import_request_id, reference, type,
                                          details, verified_at)
         SELECT import_supplier_id, external_account_number, 'GOCARDLESS', uuidv7(), 'MD1', 'DIRECT_DEBIT', '{}', now()
           FROM account_import WHERE external_account_number = $1`,
        [ref.external_account_number],
      );
      expect(await createAt(withShortTimeout, token, { ...ref, ...atGoCardless('MD1') })).toMatchObject({
        status: 201,
        body: { service_account_number: serviceAccountNumber, reference: 'MD1' },
      });
    });

    it('is a different one on another account, at another vendor, or with another reference (P2)', async () => {
      const world = await service.given.supplier();
      const one = await service.given.importedAccount({ world });
      const other = await service.given.importedAccount({ world });
      const [id, idInCapitals] = [reference(), reference().toUpperCase()];
      fake.script(id, stripeCard(id), stripeCard(id), goCardlessMandate(id));
      fake.script(idInCapitals, stripeCard(idInCapitals));
      await create(world.token, { ...one.ref, ...atStripe(id) });
      await create(world.token, { ...other.ref, ...atStripe(id) });
      await create(world.token, { ...one.ref, ...atGoCardless(id) });
      await create(world.token, { ...one.ref, ...atStripe(idInCapitals) });
      expect(await stored(one.ref)).toHaveLength(3);
      expect(await stored(other.ref)).toHaveLength(1);
      expect(fake.calls(id)).toHaveLength(3);
    });
  });

  describe('permanent refusals of the vendor', () => {
    const NOT_FOUND = 'payment_instruction_not_found';
    const REJECTED = 'payment_vendor_rejected';

    const dayOf = (day: string): Record<string, string> => ({ next_possible_charge_date: day });
    const REFUSALS: Record<string, [what: string, behaviour: (id: string) => Behaviour][]> = {
      STRIPE: [
        ['that there is no such address', () => stripeError(404)],
        ['400', () => stripeError(400)],
        ['401', () => stripeError(401)],
        ['400 that is not JSON', () => ({ status: 400, body: '<html>' })],
        ['an instruction whose name begins like it', (id) => stripeCard(`${id}2`)],
        ['an instruction whose name ends like it', (id) => stripeCard(`2${id}`)],
        ['an object named like it', (id) => stripeCard(id, {}, 'payment_method_configuration')],
        ['a card without a card', (id) => ({ body: { id, object: 'payment_method', type: 'card' } })],
        ['a card number', (id) => stripeCard(id, { last4: '4242424242424242' })],
        ['a brand with a card number in it', (id) => stripeCard(id, { brand: 'v4242424242424242' })],
        ['a sort with a card number in it', (id) => stripeCard(id, { funding: 'c_424242424242' })],
        ['a month that is none', (id) => stripeCard(id, { exp_month: 13 })],
        ['a year of five digits', (id) => stripeCard(id, { exp_year: 42_424 })],
        ['a country that is none', (id) => stripeCard(id, { country: 'us' })],
      ],
      GOCARDLESS: [
        ['that there is no such address', () => goCardlessError(404, 'invalid_api_usage', 'path_not_found')],
        ['401', () => goCardlessError(401, 'invalid_api_usage', 'access_token_revoked')],
        ['422', () => goCardlessError(422, 'validation_failed', 'invalid')],
        ['400 with nothing', () => ({ status: 400, body: '' })],
        ['400 with null', () => ({ status: 400, body: null })],
        ['401 in another form', () => ({ status: 401, body: { message: 'Unauthorized' } })],
        ['401 with a text', () => ({ status: 401, body: { error: 'Unauthorized' } })],
        ['404 that is not JSON', () => ({ status: 404, body: '<html>' })],
        ['422 without an error', () => ({ status: 422, body: { error: null } })],
        ['422 with no error', () => ({ status: 422, body: { error: { errors: [null] } } })],
        ['a mandate whose name begins like it', (id) => goCardlessMandate(`${id}2`)],
        ['a mandate whose name ends like it', (id) => goCardlessMandate(`2${id}`)],
        ['a type that is a number', (id) => goCardlessMandate(id, { mandate_type: '12345678' })],
        ['a scheme with digits in it', (id) => goCardlessMandate(id, { scheme: 'b123456789012' })],
        ['a status that is none', (id) => goCardlessMandate(id, { status: 1 })],
        ['a day and more', (id) => goCardlessMandate(id, dayOf('2026-11-27 123456'))],
        ['a day behind something', (id) => goCardlessMandate(id, dayOf('123456 2026-11-27'))],
      ],
    };
    const missing = { STRIPE: STRIPE_MISSING, GOCARDLESS: GOCARDLESS_MISSING };

    it.each(
      VENDORS.flatMap((vendor) => [
        { vendor, what: 'that there is none', behaviour: () => missing[vendor], code: NOT_FOUND },
        { vendor, what: 'what is not JSON', behaviour: () => ({ body: '<html>' }), code: REJECTED },
        { vendor, what: 'an empty object', behaviour: () => ({ body: {} }), code: REJECTED },
        ...REFUSALS[vendor]!.map(([what, behaviour]) => ({ vendor, what, behaviour, code: REJECTED })),
      ]),
    )('$vendor answers $what (P3)', async ({ vendor, behaviour, code }) => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, behaviour(id));
      const reply = await create(token, { ...ref, ...at[vendor](id) });
      expectInvalid(reply, [code, 'reference']);
      expect(JSON.stringify(reply.body)).toContain('Do not send the same request again.');
      expect(fake.calls(id)).toHaveLength(1);
      expect(await stored(ref)).toEqual([]);
    });

    it.each<[string, (id: string) => object, (id: string) => Behaviour, string]>([
      ['STRIPE', atStripe, stripeCard, '/v1/payment_methods'],
      ['GOCARDLESS', atGoCardless, goCardlessMandate, '/mandates'],
    ])(
      'follows %s neither to another address nor through an endless body (P3, P4)',
      async (_name, at, found, path) => {
        const { token, ref } = await service.given.importedAccount();
        const [moved, elsewhere, endless] = [reference(), reference(), reference()];
        fake.script(moved, { status: 302, headers: { location: `${fake.url}${path}/${elsewhere}` } });
        fake.script(elsewhere, found(moved));
        const json = { 'content-type': 'application/json' };
        const body = JSON.stringify(found(endless).body) + ' '.repeat(BODY_BYTES_MAX);
        fake.script(endless, { body, headers: json });
        const refused = await create(token, { ...ref, ...at(moved) });
        expectInvalid(refused, [REJECTED, 'reference']);
        expect(fake.calls(elsewhere)).toEqual([]);
        const givenUp = await create(token, { ...ref, ...at(endless) });
        expectError(givenUp, 500, 'payment_vendor_unavailable', []);
        expect(await stored(ref)).toEqual([]);
      },
    );

    it.each(['../customers/CU1', '..', 'MD1/actions/cancel', 'MD1?x=1', 'MD 1', '%2e%2e', '$&', 'é'])(
      'never lets the reference %j lead to another address (P3)',
      async (text) => {
        const { token, ref } = await service.given.importedAccount();
        const before = fake.allCalls().length;
        for (const instruction of [atStripe(text), atGoCardless(text)]) {
          const reply = await create(token, { ...ref, ...instruction });
          expectInvalid(reply, [NOT_FOUND, 'reference']);
        }
        expect(fake.allCalls()).toHaveLength(before);
      },
    );

    it('refuses an instruction of another kind than the type requires, and accepts a type that requires none (P3)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const [card, mandate] = [reference(), reference()];
      fake.script(card, stripeCard(card));
      fake.script(mandate, goCardlessMandate(mandate));
      for (const instruction of [atStripe(card, 'DIRECT_DEBIT'), atGoCardless(mandate, 'CARD')]) {
        const reply = await create(token, { ...ref, ...instruction });
        expectInvalid(reply, [REJECTED, 'reference']);
      }
      expect(await stored(ref)).toEqual([]);
      expect(await create(token, { ...ref, ...atStripe(card, 'CUSTOM') })).toMatchObject({ status: 201 });
    });

    it('logs an error when our credentials are refused, and shows them to nobody (P3, T3)', async () => {
      const errors: unknown[] = [];
      const listen = (message: unknown): void => void errors.push(message);
      Logger.overrideLogger({ error: listen, warn: listen, log: listen });
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(
        id,
        stripeError(401, { message: `Invalid API Key provided: ${STRIPE_KEY}` }),
        goCardlessError(401, 'invalid_api_usage', 'unauthorized'),
        { status: 403, body: '<html>' },
      );
      const replies = [
        await create(token, { ...ref, ...atStripe(id) }),
        await create(token, { ...ref, ...atGoCardless(id) }),
        await create(token, { ...ref, ...atGoCardless(id) }),
      ];
      Logger.overrideLogger(false);
      for (const { body } of replies)
        expect(JSON.stringify(body)).toContain('the operator must correct them');
      const logged = [/^STRIPE: .*401/, /^GOCARDLESS: .*401/, /^GOCARDLESS: .*403/];
      expect(errors).toEqual(
        replies.map(({ headers }, index) => ({
          request_id: headers.get('x-request-id'),
          msg: expect.stringMatching(logged[index]!) as string,
        })),
      );
      expect(JSON.stringify([errors, replies])).not.toContain('only_the_tests_know');
    });
  });

  describe('temporary failures of the vendor', () => {
    const goCardlessLimit = goCardlessError(429, 'invalid_api_usage', 'rate_limit_exceeded');
    const PASSING: Record<(typeof VENDORS)[number], [what: string, behaviour: Behaviour][]> = {
      STRIPE: [
        ['429', { ...stripeError(429), headers: { 'retry-after': '60' } }],
        ['408', stripeError(408)],
        ['409', stripeError(409, { code: 'lock_timeout' })],
        ['500', stripeError(500, { type: 'api_error' })],
        ['503 that requests a retry', { status: 503, headers: { 'stripe-should-retry': 'true' } }],
        ['silence', { instead: 'silence' }],
      ],
      GOCARDLESS: [
        ['429', { ...goCardlessLimit, headers: { 'retry-after': '60' } }],
        ['500', goCardlessError(500, 'gocardless', 'internal_server_error')],
        ['503 with nothing', { status: 503, body: '' }],
        ['429 that is not JSON', { status: 429, body: '<html>' }],
        ['409 in another form', { status: 409, body: { message: 'Conflict' } }],
      ],
    };
    const OF_BOTH: [what: string, behaviour: Behaviour][] = [
      ['502 that is not JSON', { status: 502, body: '<html>' }],
      ['a connection that is cut', { instead: 'cut' }],
    ];
    const found = { STRIPE: stripeCard, GOCARDLESS: goCardlessMandate };

    it.each(
      VENDORS.flatMap((vendor) =>
        [...PASSING[vendor], ...OF_BOTH].map(([what, behaviour]) => ({ vendor, what, behaviour })),
      ),
    )('$vendor answers $what: three tries, then 500 (P4)', async ({ vendor, behaviour }) => {
      const asked = behaviour.instead === 'silence' ? withShortTimeout : service;
      const { token, ref } = await asked.given.importedAccount();
      const id = reference();
      fake.script(id, behaviour, behaviour, behaviour, found[vendor](id));
      const payload = { ...ref, ...at[vendor](id) };
      expectError(await createAt(asked, token, payload), 500, 'payment_vendor_unavailable', []);
      expect(fake.calls(id)).toHaveLength(3);
      expect(await stored(ref, asked)).toEqual([]);
      expect(await createAt(asked, token, payload)).toMatchObject({ status: 201 });
    });

    it.each<[what: string, behaviour: Behaviour]>([
      ['an answer of 401', stripeError(401)],
      ['an answer of 500', goCardlessError(500, 'gocardless', 'internal_server_error')],
      ['a connection that is cut', { instead: 'cut' }],
      ['silence', { instead: 'silence' }],
    ])('turns %s into an error without credentials at any depth (P3, P4)', async (_what, behaviour) => {
      const id = reference();
      fake.script(id, behaviour);
      const bounds = { url: fake.url, timeoutMs: 200 };
      for (const vendor of [
        new StripeVendor({ key: STRIPE_KEY, ...bounds }),
        new GoCardlessVendor({ key: GOCARDLESS_TOKEN, ...bounds }),
      ]) {
        const error: unknown = await vendor.find(id).catch((reason: unknown) => reason);
        expect(types.isNativeError(error)).toBe(true);
        expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain('only_the_tests_know');
      }
    });

    it('holds no connection to the database while the vendor answers (P4)', async () => {
      await using narrow = inBlock(await startService({ ...stripe(), DATABASE_POOL_MAX: '2' }));
      const id = reference();
      const { opened, open } = gate();
      fake.script(id, { ...stripeCard(id), after: opened });
      const world = await narrow.given.supplier();
      const accounts = await Promise.all(
        Array.from({ length: 20 }, () => narrow.given.importedAccount({ world })),
      );
      const replies = accounts.map(({ ref }, index) =>
        createAt(narrow, world.token, { ...ref, ...atStripe(id) }, `?dry_run=${index % 2}`),
      );
      await fake.arrived(id, accounts.length);
      const { ref } = accounts[0]!;
      const path = `account-transfer-status/${ref.import_supplier}/${ref.external_account_number}/`;
      expect(await narrow.get(path, world.token)).toMatchObject({ status: 200 });
      const busy = await narrow.database.sql(
        `SELECT state, query FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'data-import' AND state <> 'idle'`,
      );
      expect(busy).toEqual([]);
      open();
      for (const reply of await Promise.all(replies)) expect(reply.status).toBe(201);
    });

    it('answers 503 above the limit of concurrent requests to a vendor, and serves other vendors (P4, T4)', async () => {
      await using narrow = inBlock(
        await startService({ ...stripe(), PAYMENT_VENDOR_REQUESTS_MAX: '2' }, { database: service.database }),
      );
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      const { opened, open } = gate();
      fake.script(id, { ...stripeCard(id), after: opened });
      const request = (instruction: object): Promise<Reply> =>
        createAt(narrow, token, { ...ref, ...instruction });
      const running = [request(atStripe(id)), request(atStripe(id))];
      await fake.arrived(id, 2);
      const rejected = await request(atStripe(id));
      expectError(rejected, 503, 'service_unavailable', []);
      expect(rejected.headers.get('retry-after')).toBe('5');
      expect(fake.calls(id)).toHaveLength(2);
      expect(await request(sandbox('ok'))).toMatchObject({ status: 201 });
      open();
      for (const reply of await Promise.all(running)) expect(reply.status).toBe(201);
      expect(await request(atStripe(id))).toMatchObject({ status: 201 });
    });
  });

  describe('the vendor SANDBOX', () => {
    it.each([
      ['missing', 'payment_instruction_not_found'],
      ['whatever', 'payment_instruction_not_found'],
      ['OK', 'payment_instruction_not_found'],
      ['rejected', 'payment_vendor_rejected'],
    ])('%s_…: 400 %s (P6)', async (beginning, code) => {
      const { token, ref } = await service.given.importedAccount();
      const reply = await create(token, { ...ref, ...sandbox(beginning) });
      expectInvalid(reply, [code, 'reference']);
    });

    it.each(['CARD', 'DIRECT_DEBIT', 'BPAY'])('ok_… exists as any type, including %s (P6)', async (type) => {
      const { token, ref } = await service.given.importedAccount();
      expect(await create(token, { ...ref, ...sandbox('ok'), type })).toMatchObject({ status: 201 });
    });

    it('flaky_… fails twice and then works, within one request (P6)', async () => {
      const { token, ref } = await service.given.importedAccount();
      expect(await create(token, { ...ref, ...sandbox('flaky') })).toMatchObject({ status: 201 });
    });

    it('down_… never answers, and one such request does not close the sandbox (P6)', async () => {
      const { token, ref } = await withShortTimeout.given.importedAccount();
      const reply = await createAt(withShortTimeout, token, { ...ref, ...sandbox('down') });
      expectError(reply, 500, 'payment_vendor_unavailable', []);
      expect(await createAt(withShortTimeout, token, { ...ref, ...sandbox('ok') })).toMatchObject({
        status: 201,
      });
    });
  });

  it.each<
    [what: string, isThere: boolean, settings: Record<string, string>, environment: Partial<Environment>]
  >([
    ['absent with DATABASE_URL', false, { SANDBOX_VENDOR: '' }, {}],
    ['there when it is on', true, { SANDBOX_VENDOR: 'on' }, {}],
    ...onSingleNode<[string, boolean, Record<string, string>, Partial<Environment>]>(
      ['there with the embedded database', true, { SANDBOX_VENDOR: '' }, { DATABASE_URL: undefined }],
      ['absent when it is off', false, { SANDBOX_VENDOR: 'off' }, { DATABASE_URL: undefined }],
    ),
  ])('the vendor SANDBOX is %s (P6, P5)', async (_what, isThere, settings, environment) => {
    await using own = inBlock(await startService(settings, { environment }));
    const { token, ref } = await own.given.importedAccount();
    const reply = await createAt(own, token, { ...ref, ...sandbox('ok') });
    if (isThere) expect(reply.status).toBe(201);
    else expectInvalid(reply, ['payment_vendor_not_configured', 'vendor']);
  });

  describe('what is refused before a request to the vendor', () => {
    it.each([
      [{ vendor: undefined }, 'required', 'vendor'],
      [{ vendor: 'sandbox' }, 'invalid_choice', 'vendor'],
      [{ reference: '' }, 'blank', 'reference'],
      [{ type: 'CASH' }, 'invalid_choice', 'type'],
      [{ amount: 1 }, 'unexpected_field', 'amount'],
    ])('%j: %s at %s (P1, T5, T8, T9, T14, X3)', async (change, code, attr) => {
      const { token, ref } = await service.given.importedAccount();
      const reply = await create(token, { ...ref, ...sandbox('ok'), ...change });
      expectInvalid(reply, [code, attr]);
      expect(await stored(ref)).toEqual([]);
    });

    it('a vendor that is not configured, after the account is checked (P5, T10)', async () => {
      const { token, ref } = await withShortTimeout.given.importedAccount();
      expectError(
        await createAt(withShortTimeout, token, { ...ref, ...atGoCardless('MD1') }),
        400,
        'validation_error',
        [['payment_vendor_not_configured', 'vendor']],
      );
      const staged = await withShortTimeout.given.stagedAccount();
      expectError(
        await createAt(withShortTimeout, staged.token, { ...staged.ref, ...atGoCardless('MD1') }),
        404,
        'account_not_found',
      );
    });

    it('an account that is only staged, unknown, or of a supplier that is unknown or another’s (A8, S8)', async () => {
      const { token, ref } = await service.given.stagedAccount();
      const others = await service.given.importedAccount();
      const id = reference();
      const replies = [
        await create(token, { ...ref, ...atStripe(id) }),
        await create(token, { ...ref, external_account_number: unique('none'), ...atStripe(id) }),
        await create(token, { ...ref, import_supplier: unique('none'), ...atStripe(id) }),
        await create(token, { ...others.ref, ...atStripe(id) }),
      ];
      for (const reply of replies) {
        expectError(reply, 404, 'account_not_found', []);
        expect(reply.body).toEqual(replies[0]!.body);
      }
      expect(fake.calls(id)).toEqual([]);
    });

    it.each(['paused', 'complete'])(
      'everything while the supplier is %s, whether or not the account exists (S2)',
      async (status) => {
        const world = await service.given.supplier({ status });
        const { ref } = await service.given.importedAccount({ world });
        const id = reference();
        for (const number of [ref.external_account_number, unique('none')]) {
          const payload = { ...ref, external_account_number: number, ...atStripe(id) };
          expectError(await create(world.token, payload), 400, 'validation_error', [
            ['import_supplier_migration_not_ongoing', 'import_supplier'],
          ]);
        }
        expect(fake.calls(id)).toEqual([]);
      },
    );
  });

  it('stores nothing when the supplier is paused while the vendor answers (S2)', async () => {
    const { token, ref, supplier } = await service.given.importedAccount();
    const id = reference();
    const { opened, open } = gate();
    fake.script(id, { ...stripeCard(id), after: opened });
    const reply = create(token, { ...ref, ...atStripe(id) });
    await fake.arrived(id, 1);
    await service.database.sql(`UPDATE import_supplier SET status = 'paused' WHERE code = $1`, [supplier]);
    open();
    expectInvalid(await reply, ['import_supplier_migration_not_ongoing', 'import_supplier']);
    expect(await stored(ref)).toEqual([]);
  });

  describe('dry run', () => {
    it('sends the request to the vendor, answers the same and stores nothing (R1)', async () => {
      const { token, ref } = await service.given.importedAccount();
      const id = reference();
      fake.script(id, stripeCard(id));
      const dry = await create(token, { ...ref, ...atStripe(id) }, '?dry_run=true');
      expect(fake.calls(id)).toHaveLength(1);
      expect(await stored(ref)).toEqual([]);
      const real = await create(token, { ...ref, ...atStripe(id) }, '?dry_run=false');
      expect(fake.calls(id)).toHaveLength(2);
      expect(dry).toMatchObject({ status: 201, body: real.body });
      expect(dry.headers.get('x-dry-run')).toBe('true');
      expect(real.headers.has('x-dry-run')).toBe(false);
      expect(await stored(ref)).toHaveLength(1);
    });
  });
});
