/** How long a test of test/soak repeats what it does. */
export const SOAK_SECONDS = Number(process.env.SOAK_SECONDS ?? 8);

const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

/** How often a property that takes long is tried: few times in every test run, and `PROPERTY_TIMES` as often in a long one. */
export function runs(few: number): number {
  return few * TIMES;
}
