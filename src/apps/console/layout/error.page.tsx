import { ADDRESSES } from '../common/addresses.js';
import type { Page } from './page.js';

const TEXTS: Readonly<Record<number, readonly [title: string, text: string]>> = {
  400: ['Invalid request', 'The request is not valid.'],
  403: [
    'Not allowed',
    'This form is out of date, or you may not do this. Open the page again and repeat it.',
  ],
  404: ['Page not found', 'There is no such page, or you may not see it.'],
  405: ['Invalid request', 'This page cannot be used in this way.'],
  413: ['Too much text', 'The form has more text than is accepted.'],
  415: ['Invalid request', 'Only a form can be sent to this page.'],
  429: ['Too many requests', 'Wait a moment before the next page.'],
  503: ['Service unavailable', 'The database does not answer. Nothing was changed; try again in a moment.'],
};
const UNEXPECTED = ['Something went wrong', 'This was not expected, and was logged. Try again in a moment.'];

/** An error page. @param detail a sentence for the user, in place of the default text of the status */
export function errorPage(status: number, detail?: string): Page {
  const [title = '', text] = TEXTS[status] ?? UNEXPECTED;
  return {
    title,
    status,
    body: (
      <>
        <p>{detail ?? text}</p>
        <p>
          <a href={ADDRESSES.overview}>Overview</a>
        </p>
      </>
    ),
  };
}
