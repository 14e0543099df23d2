import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import type { BeginOutcome, SignInOutcome, SignInProblem, SignInWays } from './sign-in.types.js';
import { wantedPage } from '../common/wanted-page.js';

/**
 * The ways to sign in. The browser keeps the wanted page, for an operator who opens a link instead.
 *
 * @param named the page to open afterwards, as sent
 */
export function signInPage(ways: SignInWays, named: unknown, problem?: string): Page {
  const wanted = wantedPage(named);
  return {
    title: 'Sign in',
    wanted: wanted ?? null,
    body: (
      <div class="card sign-in">
        {problem !== undefined && <Problem>{problem}</Problem>}
        {ways.provider && (
          <p>
            <a class="button" href={withQuery(ADDRESSES.signInStart, { next: wanted })}>
              Sign in with your organisation’s account
            </a>
          </p>
        )}
        {ways.keys && <KeyForm named={named} hasFailed={problem !== undefined} />}
        {ways.links && (
          <p class="muted">
            Operators {ways.provider && 'can also '}sign in with a link that the command{' '}
            <code>data-import console link</code> prints.
            {wanted !== undefined && ' Opened in this browser, it leads to the page that you wanted.'}
          </p>
        )}
      </div>
    ),
  };
}

function KeyForm({ named, hasFailed }: { named: unknown; hasFailed: boolean }): VNode {
  return (
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
        aria-describedby={hasFailed ? 'problem' : undefined}
      />
      <button>Sign in</button>
    </PostForm>
  );
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

export function answerToApiKey(outcome: SignInOutcome, ways: SignInWays, named: unknown): ConsoleAnswer {
  return answerTo(outcome, ways, named, {
    ...signInPage(ways, named, 'The API key is not valid: it is wrong, revoked or expired.'),
    status: 401,
  });
}

export function answerToLink(outcome: SignInOutcome, ways: SignInWays, named: unknown): ConsoleAnswer {
  return answerTo(outcome, ways, named, {
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

export function answerToBegin(outcome: BeginOutcome, ways: SignInWays, named: unknown): ConsoleAnswer {
  return 'problem' in outcome ? problemPage(outcome, ways, named, signInPage(ways, named)) : outcome;
}

/** A page that goes on by itself: after a redirection from another site the browser would not send its strict cookies. */
export function answerToProvider(outcome: SignInOutcome, ways: SignInWays): ConsoleAnswer {
  if ('problem' in outcome) return problemPage(outcome, ways, undefined, NOT_COMPLETED);
  const location = wantedPage(outcome.next) ?? ADDRESSES.overview;
  return {
    title: 'Signed in',
    session: outcome.session,
    headers: { refresh: `0; url=${location}` },
    body: (
      <p>
        <a href={location}>Continue</a>
      </p>
    ),
  };
}

/** After the sign-out of a person, who may still be signed in at the provider. @param address where that ends */
export function signedOutPage(address: string): Page {
  return {
    title: 'Signed out',
    session: 'ended',
    body: (
      <>
        <p>You are signed out here. Your organisation’s account may still be signed in in this browser.</p>
        <p>
          <a href={address}>Sign out of your organisation’s account</a>
        </p>
        <SignInLink />
      </>
    ),
  };
}

const NOT_COMPLETED: Page = {
  title: 'The sign-in was not completed',
  status: 401,
  body: (
    <Refused>
      It was begun in another browser or window or more than ten minutes ago, it was completed already, or
      your organisation’s account was refused.
    </Refused>
  ),
};

/** The title, and the first half of the sentence. */
const TOO_MANY = {
  failures: ['Too many failed attempts', 'Too many sign-ins from your address have failed'],
  address: ['Too many sign-ins', 'Too many sign-ins from your address within a minute'],
  key: ['Too many sign-ins', 'Too many sign-ins with this API key within a minute'],
  person: ['Too many sign-ins', 'Too many sign-ins with this account within a minute'],
} as const;

function answerTo(
  outcome: SignInOutcome,
  ways: SignInWays,
  named: unknown,
  notAccepted: Page,
): ConsoleAnswer {
  return 'problem' in outcome
    ? problemPage(outcome, ways, named, notAccepted)
    : { location: wantedPage(named) ?? ADDRESSES.overview, session: outcome.session };
}

function problemPage(outcome: SignInProblem, ways: SignInWays, named: unknown, notAccepted: Page): Page {
  switch (outcome.problem) {
    case 'not_accepted':
      return notAccepted;
    case 'unavailable':
      return { ...signInPage(ways, named, UNAVAILABLE), status: 503 };
    case 'no_access':
      return { title: 'No access', status: 403, body: <Refused>{outcome.reason}</Refused> };
    case 'throttled': {
      const { waitSeconds } = outcome;
      const [title, what] = TOO_MANY[outcome.limit];
      return {
        title,
        status: 429,
        headers: { 'retry-after': String(waitSeconds) },
        body: <Refused>{`${what}; try again in ${waitSeconds} seconds.`}</Refused>,
      };
    }
  }
}

const UNAVAILABLE =
  'Your organisation’s accounts cannot be reached now. Try again in a moment; the other ways to sign in still work.';

function Refused({ children }: { children: ComponentChildren }): VNode {
  return (
    <>
      <Problem>{children}</Problem>
      <SignInLink />
    </>
  );
}

function SignInLink(): VNode {
  return (
    <p>
      <a href={ADDRESSES.signIn}>Sign in</a>
    </p>
  );
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
