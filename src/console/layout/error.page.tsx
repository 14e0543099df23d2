import { ADDRESSES } from '../addresses.js';
import type { Page } from '../page.js';

const TEXTS: Readonly<Record<number, readonly [title: string, text: string]>> = {
  403: [
    'Not allowed',
    'This form is out of date, or you may not do this. Open the page again and repeat it.',
  ],
  404: ['Page not found', 'There is no such page, or you may not see it.'],
  503: ['Not available now', 'The database does not answer. Nothing was changed; try again in a moment.'],
};

/** The page of an error. @param detail of an error that has no text here */
export function errorPage(status: number, detail = 'Something went wrong. It was logged.'): Page {
  const [title, text] = TEXTS[status] ?? ['Error', detail];
  return {
    title,
    status,
    body: (
      <>
        <p>{text}</p>
        <p>
          <a href={ADDRESSES.overview}>Overview</a>
        </p>
      </>
    ),
  };
}
