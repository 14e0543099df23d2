import { capitalised } from '../common/format.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Choices, Pager } from '../layout/pager.js';
import { Timeline } from '../layout/timeline.js';
import { activityAddress } from './activity-events.js';
import { CHOICES, type ShownActivity } from './activity.types.js';

/** The activity of a supplier; operators also see who has viewed what. */
export function activityPage({ user, supplier, choice, events }: ShownActivity): Page {
  const visible = CHOICES.filter((one) => one !== 'views' || user.kind !== 'admin');
  return {
    title: 'Activity',
    ...ofSupplier(supplier, 'activity'),
    body: (
      <>
        <Choices
          label="What is shown"
          options={[
            [undefined, 'Runs and changes'],
            ...visible.map((one) => [one, capitalised(one)] as const),
          ]}
          chosen={choice}
          addressOf={(one) => activityAddress(supplier.code, one)}
        />
        <p>
          {choice === 'views'
            ? 'One entry for each account, user and hour, newest first.'
            : 'Newest first. Changes of one account are in the history on its page.'}
        </p>
        {events.rows.length === 0 && <p class="empty">Nothing is recorded.</p>}
        <Timeline events={events.rows} relative />
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
