import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import { breadcrumbs, type Page } from '../layout/page.js';
import { TIME_ZONES } from '../signed-in/time-zones.js';

interface TimesView {
  readonly chosen: string | undefined;
  /** The time zone of the platform. */
  readonly ofPlatform: string;
  /** The page to go back to. */
  readonly next: string | undefined;
}

/** The choice of a time zone (choices C2, C7). */
export function timesPage({ chosen, ofPlatform, next }: TimesView): Page {
  return {
    title: 'Time zone',
    breadcrumbs: breadcrumbs(),
    body: (
      <>
        <p>The time zone in which this browser shows times. CSV files and commands use UTC.</p>
        <ChoiceForm next={next}>
          <div class="actions">
            <label for="zone">Time zone</label>
            <select id="zone" name="zone">
              <option value="">Time zone of the platform ({ofPlatform})</option>
              {TIME_ZONES.map((zone) => (
                <option value={zone} selected={zone === chosen}>
                  {zone}
                </option>
              ))}
            </select>
            <button>Use this time zone</button>
          </div>
        </ChoiceForm>
        <div id="browser-zone" hidden>
          <ChoiceForm next={next}>
            <input type="hidden" name="zone" />
            <button class="plain">
              Use the time zone of this browser, <span />
            </button>
          </ChoiceForm>
        </div>
      </>
    ),
  };
}

function ChoiceForm({ next, children }: Pick<TimesView, 'next'> & { children: ComponentChildren }): VNode {
  return (
    <PostForm action={ADDRESSES.timeZone}>
      {next !== undefined && <input type="hidden" name="next" value={next} />}
      {children}
    </PostForm>
  );
}
