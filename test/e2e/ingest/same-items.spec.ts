import { readFileSync } from 'node:fs';
import { FACTS, KINDS } from '../../../packages/loader/src/kinds/kinds.js';
import { keyOf } from '../../../packages/loader/src/kinds/keys.js';
import { ITEM_NAMES, type ItemName } from '../../../src/infrastructure/item-names/item-names.js';
import type { ItemField, ItemKind } from '../../../src/ingest/kinds/item-kind.js';
import { ITEMS } from '../../../src/ingest/kinds/items.js';
import { sameInWords } from '../../../src/ingest/same-items.js';
import { EVERY_FIELD } from '../../support/every-field.js';
import type { Reply } from '../../support/service.js';
import { setUp } from '../../support/set-up.js';
import { observedSupplier, startWithoutCarryOver } from '../../support/totals.js';

type Item = Readonly<Record<string, unknown>>;

/** Two items that differ in one field alone. */
interface Pair {
  readonly account: string;
  readonly field: string;
  readonly one: Item;
  readonly other: Item;
  /** By the description of the kind. */
  readonly isSame: boolean;
}

/** The rows of a section of an account, and the items of its changes. */
interface Held {
  readonly rows: readonly { readonly digest: string; readonly content: Item }[];
  readonly items: readonly Item[];
}

/** The statuses and codes of an answer that takes an item for one that it knows. */
const KNOWN = /_ALREADY_EXISTS"|_already_exists"|"duplicate_\w+_ids"/;

function pairsOf(name: ItemName): Pair[] {
  const { one, other } = EVERY_FIELD[name];
  const { fields, same }: ItemKind = ITEMS[name];
  return Object.entries(fields).flatMap(([field, { comparedUnlessSent }]) => {
    const pair = (base: Item, isSame: boolean): Pair => ({
      account: `${field} of ${Object.keys(base).length}`,
      field,
      one: base,
      other: { ...base, [field]: other[field] },
      isSame,
    });
    if (comparedUnlessSent === undefined) return [pair(one, !same.includes(field))];
    const without = Object.fromEntries(Object.entries(one).filter(([name]) => name !== comparedUnlessSent));
    return [pair(one, true), pair(without, !same.includes(field))];
  });
}

const loaderKind = (name: ItemName): (typeof KINDS)[number] =>
  KINDS.find((kind) => FACTS[kind].section === ITEMS[name].section) ?? 'notes';

function isSameToLoader(name: ItemName, { one, other }: Pair): boolean {
  const kind = loaderKind(name);
  const [first, second] = [one, other].map((item) =>
    keyOf(
      kind,
      FACTS[kind].key.map((field) => item[field]),
    ),
  );
  expect(first).toBeDefined();
  return first === second;
}

describe('two items that differ in one field', () => {
  const service = setUp(() => startWithoutCarryOver());

  it.each(ITEM_NAMES)(
    'are the same or two in the service, a payload, the loader, the digest and the feed: %s',
    async (name) => {
      const pairs = pairsOf(name);
      const { of, totals } = await observedSupplier(service);
      const { token, supplier } = of.world;
      await of.stage(pairs.flatMap(({ account }) => [account, `${account}, both`, `${account}, other`]));
      await of.import();
      const { path, payloadOf } = EVERY_FIELD[name];
      const post = (account: string, ...items: Item[]): Promise<Reply> =>
        service.post(path, token, {
          import_supplier: supplier,
          external_account_number: account,
          ...payloadOf(items),
        });
      const answers = new Map<Pair, Record<'service' | 'payload', boolean>>();
      for (const pair of pairs) {
        const { account, one, other } = pair;
        expect(await post(account, one)).toMatchObject({ status: 201 });
        const again = await post(account, other);
        const both = name === 'payment_instructions' ? again : await post(`${account}, both`, one, other);
        await post(`${account}, other`, other);
        answers.set(pair, {
          service: KNOWN.test(JSON.stringify(again.body)),
          payload: KNOWN.test(JSON.stringify(both.body)),
        });
      }
      await totals.service.carryOver(totals.id);
      const held = await heldBy(name, supplier, token);
      for (const pair of pairs) {
        const { account, field, other, isSame } = pair;
        const [pairHeld, otherHeld] = [await held(account), await held(`${account}, other`)];
        // Without a connection to the other vendor its instruction is found to be another one, and is not stored.
        const isStored = field !== 'vendor';
        const isSameIn = { ...answers.get(pair), loader: isSameToLoader(name, pair) };
        const count = isSame || !isStored ? 1 : 2;
        expect({ field, ...isSameIn, rows: pairHeld.rows.length, items: pairHeld.items.length }).toEqual({
          ...{ field, service: isSame, payload: isSame, loader: isSame, rows: count, items: count },
        });
        if (!isStored) continue;
        // Whatever is the same, the content and the feed have every field as it was sent.
        const [row, [item]] = [pairHeld.rows.map(({ digest }) => digest), otherHeld.items];
        expect(row.includes(otherHeld.rows[0]!.digest)).toBe(!isSame);
        expect(otherHeld.rows[0]!.content).toEqual(withoutDefaults(name, other));
        expect(item![field]).not.toEqual(pairHeld.items[0]![field]);
      }
    },
  );

  /** What accounts of a supplier hold, by their rows and by the feed. */
  async function heldBy(
    name: ItemName,
    supplier: string,
    token: string,
  ): Promise<(account: string) => Promise<Held>> {
    const { token: platform } = await service.given.platformToken();
    const { body } = await service.get<{ changes: { subject: string; data: { items?: Item[] } }[] }>(
      `/v1/platform/import-suppliers/${supplier}/changes/?limit=1000`,
      platform,
    );
    return async (account) => {
      const content = await service.get<Record<string, Held>>(
        `account-content/${supplier}/${encodeURIComponent(account)}/?rows=true`,
        token,
      );
      const ofAccount = body.changes.filter(({ subject }) => subject === account);
      return {
        rows: content.body[ITEMS[name].section]?.rows ?? [],
        items: ofAccount.flatMap(({ data }) => data.items ?? []),
      };
    };
  }
});

function withoutDefaults(name: ItemName, item: Item): Item {
  const fields: Readonly<Record<string, ItemField>> = ITEMS[name].fields;
  return Object.fromEntries(
    Object.entries(item).filter(([field, value]) => value !== fields[field]?.defaultValue),
  );
}

it.each(ITEM_NAMES)(
  'the loader takes the same values for a field that is not there as the service: %s',
  (name) => {
    const defaults = Object.entries<ItemField>(ITEMS[name].fields).filter(
      ([, field]) => field.defaultValue !== undefined,
    );
    const absent = defaults.map(([field, { defaultValue }]) => [field, JSON.stringify(defaultValue)]);
    expect(FACTS[loaderKind(name)].absent ?? {}).toEqual(Object.fromEntries(absent));
  },
);

it.each(ITEM_NAMES)('docs/write-a-client.md says what makes two of a kind the same: %s', (name) => {
  expect(readFileSync('docs/write-a-client.md', 'utf8')).toContain(`| ${sameInWords(ITEMS[name])}`);
});
