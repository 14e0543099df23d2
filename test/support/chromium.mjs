// Where the browser of the tests is. scripts/test.mjs, test/support/browser.ts and scripts/pictures.mjs read it.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** As Debian and others name it; first the one without windows, which takes half as long. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** @returns the path of a Chromium that is installed; undefined when there is none */
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
