import { ADDRESSES } from '../common/addresses.js';
import { capitalised } from '../common/format.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Choices, Pager } from '../layout/pager.js';
import { Timeline } from '../layout/timeline.js';
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
          addressOf={(show) => ADDRESSES.activity(supplier.code, { show })}
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
          addressOf={(after) => ADDRESSES.activity(supplier.code, { show: choice, after })}
          firstText="Newest"
          nextText="Older"
        />
      </>
    ),
  };
}
