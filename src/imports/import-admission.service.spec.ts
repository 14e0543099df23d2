import { AppError } from '../common/errors.js';
import { readEnvironment } from '../config/env.js';
import { ImportAdmissionService } from './import-admission.service.js';

const MIB = 1_048_576;

describe('the admission of imports', () => {
  const caller = (organisationId: string): Parameters<ImportAdmissionService['admit']>[0] => ({
    ...{ organisationId, organisationName: organisationId },
    ...{ apiKeyId: 'key', requestId: 'request', receivedAtMs: 0 },
  });
  const start = (
    settings: Record<string, string> = {},
  ): ((organisationId?: string, bodyBytes?: number) => () => void) => {
    const admission = new ImportAdmissionService(readEnvironment(settings));
    return (organisationId = 'a', bodyBytes = 1_000) => admission.admit(caller(organisationId), bodyBytes);
  };

  it('accepts as many of an organisation as the setting says, and counts each organisation for itself', () => {
    const admit = start({ IMPORTS_PER_ORGANISATION_MAX: '2' });
    const [end] = [admit(), admit(), admit('b'), admit('b')];
    expect(() => admit()).toThrow(AppError);
    end();
    admit();
    expect(() => admit()).toThrow(AppError);
  });

  it('counts an import that ends twice once', () => {
    const admit = start({ IMPORTS_PER_ORGANISATION_MAX: '2' });
    const [end] = [admit(), admit()];
    end();
    end();
    admit();
    expect(() => admit()).toThrow(AppError);
  });

  it('accepts 64 imports, and 8 of the largest, when nothing is set', () => {
    const small = start();
    for (let count = 0; count < 64; count += 1) small();
    expect(() => small()).toThrow(AppError);
    const large = start();
    for (let count = 0; count < 8; count += 1) large('a', 10 * MIB);
    expect(() => large('a', 1)).toThrow(AppError);
  });

  it.each([
    ['that does not state its length', NaN],
    ['that is too large, and refused later', 100 * MIB],
  ])('counts a body %s as the largest', (_what, bodyBytes) => {
    const admit = start();
    const ends = Array.from({ length: 8 }, () => admit('a', bodyBytes));
    expect(() => admit('a', 1)).toThrow(AppError);
    ends[0]!();
    admit('a', 10 * MIB);
    expect(() => admit('a', 1)).toThrow(AppError);
  });

  it('refuses with the seconds after which the import may return', () => {
    const admit = start({ IMPORTS_PER_ORGANISATION_MAX: '1' });
    admit();
    const seconds = Array.from({ length: 100 }, () => {
      try {
        admit();
        return NaN;
      } catch (error) {
        const { code, headers, isExpected } = error as AppError;
        expect({ code, isExpected }).toEqual({ code: 'service_unavailable', isExpected: true });
        return Number(headers['retry-after']);
      }
    });
    expect(seconds.slice(0, 4)).toEqual([1, 1, 2, 2]);
    expect(seconds.at(-1)).toBe(30);
  });
});
