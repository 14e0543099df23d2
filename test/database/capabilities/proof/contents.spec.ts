import { createHash } from 'node:crypto';
import { ProofRepository } from '../../../../src/capabilities/proof/proof.repository.js';
import type { AccountContent, AccountRange } from '../../../../src/capabilities/proof/proof.types.js';
import { UnitOfWork } from '../../../../src/infrastructure/database/unit-of-work.js';
import { importsOf, VECTORS } from '../../../support/content-vectors.js';
import { type World } from '../../../support/service.js';
import { setUp } from '../../../support/set-up.js';
import { sharedService } from '../../../support/shared-service.js';
import { idOf } from '../../../support/suppliers.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the content of a supplier’s accounts', () => {
  const contents = new ProofRepository();
  const service = setUp(sharedService);
  let work: UnitOfWork;

  async function read({ supplier }: World, range?: AccountRange): Promise<AccountContent[]> {
    const id = await idOf(service.database, supplier);
    return work.query(async (tx) => {
      const accounts: AccountContent[] = [];
      for await (const account of contents.accounts(tx, id, range)) accounts.push(account);
      return accounts;
    });
  }

  beforeAll(() => {
    work = service.app.get(UnitOfWork);
  });

  it('is that of the published vectors (V3, V4, V5)', async () => {
    const world = await service.given.supplier();
    for (const { external_account_number: number, sent } of VECTORS.accounts) {
      const { ref } = await service.given.importedAccount({ world, number });
      for (const [path, payload] of importsOf(ref, sent)) {
        expect(await service.post(path, world.token, payload)).toMatchObject({ status: 201 });
      }
    }

    const accounts = await read(world);

    expect(
      accounts.map(({ externalAccountNumber, sections, digest }) => ({
        external_account_number: externalAccountNumber,
        ...sections,
        digest,
      })),
    ).toEqual(VECTORS.accounts.map(({ sent: _sent, ...account }) => account));
    const lines = accounts.map(
      ({ externalAccountNumber, digest }) => `${JSON.stringify(externalAccountNumber)} ${digest}\n`,
    );
    expect(sha256(lines.join(''))).toBe(VECTORS.supplier.digest);
    expect(accounts[0]?.amounts).toEqual(
      new Map([
        ['CHARGE', 1050n],
        ['CREDIT', 1300n],
        ['PAYMENT', -7n],
        ['SUPPLY_CHARGE', 100000000006194n],
      ]),
    );
  });
});
