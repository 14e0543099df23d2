import { AMOUNT_SUM_SHAPE, formatHundredths } from './money.js';

it.each([
  [0n, '0.00'],
  [7n, '0.07'],
  [-7n, '-0.07'],
  [100n, '1.00'],
  [-1_050n, '-10.50'],
  [999_999_999_999_999_999n, '9999999999999999.99'],
])('formats %s hundredths as %s', (hundredths, text) => {
  expect(formatHundredths(hundredths)).toBe(text);
  expect(AMOUNT_SUM_SHAPE.test(text)).toBe(true);
});
