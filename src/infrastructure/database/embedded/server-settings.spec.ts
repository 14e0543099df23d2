import { sharedBuffersFor } from './server-settings.js';

const GIBIBYTE = 2 ** 30;

describe('the page cache of the embedded PostgreSQL', () => {
  it.each([
    ['a small container', 0.25 * GIBIBYTE, '128MB'],
    ['a small machine', 1.5 * GIBIBYTE, '384MB'],
    ['a machine', 8 * GIBIBYTE + 1, '2048MB'],
    ['a large machine', 256 * GIBIBYTE, '4096MB'],
  ])('is a quarter of the memory, from 128 MB to 4 GB: %s (engineering rule)', (_what, bytes, expected) => {
    expect(sharedBuffersFor(bytes)).toBe(expected);
  });
});
