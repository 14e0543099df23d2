import { ofSupplier, type Page } from '../layout/page.js';
import { Choices, Pager } from '../layout/pager.js';
import { Timeline } from '../layout/timeline.js';
import { activityAddress } from './activity-events.js';
import { CHOICES, type Choice, type ShownActivity } from './activity.types.js';

const TEXTS: Readonly<Record<Choice, readonly [name: string, about: string, empty: string]>> = {
  runs: [
    'Runs',
    'Commands that change many accounts, newest first: when each started, and how it ended.',
    'No run is recorded.',
  ],
  changes: ['Changes', 'Changes of the supplier, newest first.', 'No change is recorded.'],
  views: [
    'Views',
    'Who viewed account data, newest first: one entry for each account, user and hour.',
    'No view is recorded.',
  ],
};

/** The activity of a supplier; operators also see who has viewed what. */
export function activityPage({ user, supplier, choice, events }: ShownActivity): Page {
  const visible = CHOICES.filter((one) => one !== 'views' || user.kind === 'operator');
  const [, about, empty] = choice
    ? TEXTS[choice]
    : [
        '',
        'Runs and changes, newest first. Changes of one account are in the history on its page.',
        'Nothing is recorded for this supplier.',
      ];
  return {
    title: 'Activity',
    ...ofSupplier(supplier, 'activity'),
    body: (
      <>
        <Choices
          label="What is shown"
          options={[[undefined, 'Runs and changes'], ...visible.map((one) => [one, TEXTS[one][0]] as const)]}
          chosen={choice}
          addressOf={(one) => activityAddress(supplier.code, one)}
        />
        <p>{about}</p>
        {events.rows.length === 0 ? <p class="empty">{empty}</p> : <Timeline events={events.rows} relative />}
        <Pager
          page={events}
          addressOf={(after) => activityAddress(supplier.code, choice, after)}
          firstText="Newest"
          nextText="Older"
        />
      </>
    ),
  };
}
