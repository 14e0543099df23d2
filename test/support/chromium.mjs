// Finds the browser of the tests, for scripts/test.mjs, test/support/browser.ts and scripts/pictures.mjs.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Names in Debian and elsewhere. The headless one comes first, because it takes half as long. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** @returns the path of an installed Chromium; undefined when there is none */
export function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
