import type { Contender } from '../contenders/contender.js';
import { rates, ratioOf, type Measurement } from '../load/measurement.js';
import type { ScenarioResult } from '../load/rounds.js';
import { median } from '../load/statistics.js';
import { grouped, ratio } from '../report.js';

/**
 * A row for each scenario and contender: scenario, title of the contender, rate, latencies, further cells, and the rate divided
 * by that of the first contender.
 */
export function relativeRows(
  results: readonly ScenarioResult[],
  contenders: readonly Contender[],
  titleOf: (contender: Contender, position: number) => string,
  furtherCells: (measurement: Measurement, first: Measurement | undefined) => readonly string[] = () => [],
): string[][] {
  return results.flatMap(({ scenario, measurements }) => {
    const [first] = contenders.map(({ name }) => measurements.get(name));
    return contenders.flatMap((contender, position) => {
      const measurement = measurements.get(contender.name);
      if (!measurement) return [];
      return [
        [
          ...[scenario.title, titleOf(contender, position), grouped(median(measurement.rates))],
          ...[0.5, 0.99].map((share) => measurement.latencyMs(share).toFixed(2)),
          ...furtherCells(measurement, first),
          ratio(ratioOf(rates, measurement, first)),
        ],
      ];
    });
  });
}
