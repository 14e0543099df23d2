import type { FormFields } from '../common/parameters.js';
import type { Redirection } from '../layout/page.js';
import { readTimeZone } from '../signed-in/time-zones.js';

/**
 * The choice in a form: the time zone, or whether the key / moves to the search box.
 *
 * @throws CommandError `unknown_time_zone`
 */
export function choiceOf({
  zone = '',
  find_key: findKey,
}: FormFields): Pick<Redirection, 'timeZone' | 'hasFindKey'> {
  return findKey === undefined ? { timeZone: readTimeZone(zone) } : { hasFindKey: findKey !== 'off' };
}
