import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import type { SignInOutcome } from './sign-in.types.js';
import { wantedPage } from '../common/wanted-page.js';

/**
 * The form for an API key. The browser keeps the wanted page, for an operator who opens a link instead.
 *
 * @param named the page to open afterwards, as sent
 */
export function signInPage(named: unknown, problem?: string): Page {
  return {
    title: 'Sign in',
    wanted: wantedPage(named) ?? null,
    body: (
      <div class="card sign-in">
        {problem !== undefined && <Problem>{problem}</Problem>}
        <PostForm action={ADDRESSES.signIn}>
          <Wanted named={named} />
          <label for="api-key">API key of your organisation</label>
          <input
            id="api-key"
            name="api_key"
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-describedby={problem === undefined ? undefined : 'problem'}
          />
          <button>Sign in</button>
        </PostForm>
        <p class="muted">
          Operators sign in with a link that the command <code>data-import console link</code> prints.
          {wantedPage(named) !== undefined &&
            ' Opened in this browser, it leads to the page that you wanted.'}
        </p>
      </div>
    ),
  };
}

/** The button that redeems a link. The code is not looked up here, so this page does not reveal whether it is valid. */
export function linkPage(code: string, named: unknown): Page {
  return {
    title: 'Sign in',
    body: (
      <div class="card sign-in">
        <p>This link signs an operator in, once.</p>
        <PostForm action={`${ADDRESSES.signIn}/${encodeURIComponent(code)}`}>
          <Wanted named={named} />
          <button>Sign in</button>
        </PostForm>
      </div>
    ),
  };
}

export function answerToApiKey(outcome: SignInOutcome, named: unknown): ConsoleAnswer {
  return answerTo(outcome, named, {
    ...signInPage(named, 'The API key is not valid: it is wrong, revoked or expired.'),
    status: 401,
  });
}

export function answerToLink(outcome: SignInOutcome, named: unknown): ConsoleAnswer {
  return answerTo(outcome, named, {
    title: 'This link cannot be used',
    status: 401,
    body: (
      <>
        <Problem>It was used already, it is more than ten minutes old, or it is not complete.</Problem>
        <p>
          The command <code>data-import console link</code> prints another one.
        </p>
      </>
    ),
  });
}

/** The title, and the first half of the sentence. */
const TOO_MANY = {
  address: ['Too many failed attempts', 'Too many sign-ins from your address have failed'],
  key: ['Too many sign-ins', 'Too many sign-ins with this API key within a minute'],
} as const;

function answerTo(outcome: SignInOutcome, named: unknown, notAccepted: Page): ConsoleAnswer {
  if ('session' in outcome) {
    return { location: wantedPage(named) ?? ADDRESSES.overview, session: outcome.session };
  }
  if (outcome.problem === 'not_accepted') return notAccepted;
  const { waitSeconds } = outcome;
  const [title, what] = TOO_MANY[outcome.limit];
  return {
    title,
    status: 429,
    headers: { 'retry-after': String(waitSeconds) },
    body: (
      <>
        <Problem>{`${what}; try again in ${waitSeconds} seconds.`}</Problem>
        <p>
          <a href={ADDRESSES.signIn}>Sign in</a>
        </p>
      </>
    ),
  };
}

function Problem({ children }: { children: ComponentChildren }): VNode {
  return (
    <p id="problem" class="notice notice-error" role="alert">
      {children}
    </p>
  );
}

function Wanted({ named }: { named: unknown }): VNode | null {
  const page = wantedPage(named);
  return page === undefined ? null : <input type="hidden" name="next" value={page} />;
}
