import type { FormFields } from '../common/parameters.js';
import type { Redirection } from '../layout/page.js';
import { readTimeZone } from '../signed-in/time-zones.js';

/**
 * What a form chooses: the zone of the times, or whether the key / leads to the search.
 *
 * @throws CommandError `unknown_time_zone`
 */
export function choiceOf({
  zone = '',
  find_key: findKey,
}: FormFields): Pick<Redirection, 'timeZone' | 'hasFindKey'> {
  return findKey === undefined ? { timeZone: readTimeZone(zone) } : { hasFindKey: findKey !== 'off' };
}
