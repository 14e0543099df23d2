import { sharedBuffersFor } from './embedded-postgres.js';

const GIBIBYTE = 2 ** 30;

describe('the memory for pages of the embedded PostgreSQL', () => {
  it.each([
    ['a small container', 0.25 * GIBIBYTE, '128MB'],
    ['a small machine', 1.5 * GIBIBYTE, '384MB'],
    ['a machine', 8 * GIBIBYTE + 1, '2048MB'],
    ['a large machine', 256 * GIBIBYTE, '4096MB'],
  ])(
    'is a quarter of what there is, 128 MB at least and 4 GB at most: %s (house rule)',
    (_what, bytes, wanted) => {
      expect(sharedBuffersFor(bytes)).toBe(wanted);
    },
  );
});
