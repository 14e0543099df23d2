// npm run pictures: take the pictures of docs/console.md. Starts the service on an empty database, sends imports through the REST
// interface, and takes each screen, light and dark. `--minutes N` spreads the imports over N minutes (default 3) for the charts.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import UPNG from 'upng-js';
import { findChromium } from '../test/support/chromium.mjs';
import { endWithNpm } from './npm-shell.mjs';
import { fill, SUPPLIER } from './pictures-content.mjs';
import { ROOT, prepare } from './prepare.mjs';
import { commandsWith, startOwn } from './own-service.mjs';

const FOLDER = join(ROOT, 'docs', 'pictures');
const BYTES_MAX = 100_000;
const WIDTH = 1_200;
const HEIGHT_MAX = 1_000;
/** The longest delay of the totals; the pictures are taken after it. */
const TOTALS_MS = 15_000;

/** The screens by file name. */
const SCREENS = [
  { name: 'overview', path: '/console/' },
  { name: 'supplier', path: `/console/suppliers/${SUPPLIER}` },
  { name: 'failures', path: `/console/suppliers/${SUPPLIER}/failures` },
  { name: 'account', path: `/console/suppliers/${SUPPLIER}/accounts/N-100003` },
  { name: 'requests', path: '/console/requests' },
  { name: 'sign-in', path: '/console/sign-in', signedOut: true },
];

const say = (sentence) => process.stdout.write(`${sentence}\n`);

prepare(say);
endWithNpm();
const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' } } });
const executablePath = findChromium();
if (executablePath === undefined) throw new Error('No Chromium is installed.');
const dataDir = await mkdtemp(join(tmpdir(), 'data-import-pictures-'));
const settings = {
  ...process.env,
  DATA_DIR: dataDir,
  DATABASE_URL: '',
  PORT: '0',
  CONSOLE: 'on',
  LOG_LEVEL: 'warn',
  OPERATOR: 'Maria',
};
const service = await startOwn(settings);
try {
  say('Sending loads …');
  await fill({ ...service, settings, dataDir, minutes: Number(values.minutes), say });
  await new Promise((resolve) => setTimeout(resolve, TOTALS_MS));
  await takeAll();
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function takeAll() {
  await mkdir(FOLDER, { recursive: true });
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  try {
    const cookies = await signIn(browser);
    for (const scheme of ['light', 'dark']) {
      for (const screen of SCREENS) {
        await take(browser, screen, scheme, cookies);
      }
    }
  } finally {
    await browser.close();
  }
}

/** With a link of its own: that of the start may have expired while the loads were sent. */
async function signIn(browser) {
  const { url } = await commandsWith(settings)(['console', 'link', '--base-url', service.url]);
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/console/');
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

async function take(browser, { name, path, signedOut }, colorScheme, cookies) {
  const context = await browser.newContext({
    baseURL: service.url,
    viewport: { width: WIDTH, height: 800 },
    colorScheme,
  });
  if (!signedOut) await context.addCookies(cookies);
  const page = await context.newPage();
  const response = await page.goto(path);
  if (response.status() !== 200) {
    process.exitCode = 1;
    say(`${path} was answered ${response.status()}: no picture.`);
  } else {
    const height = Math.min(HEIGHT_MAX, await page.evaluate('document.documentElement.scrollHeight'));
    await page.setViewportSize({ width: WIDTH, height });
    const file = join(FOLDER, `${name}-${colorScheme}.png`);
    const picture = small(await page.screenshot());
    await writeFile(file, picture);
    say(`${file.slice(ROOT.length + 1)}: ${WIDTH} x ${height}, ${picture.length} bytes`);
  }
  await context.close();
}

/** Reduce the colours to a palette, which takes a third of the bytes, until the file is small enough. */
function small(png) {
  const { width, height, ...decoded } = UPNG.decode(toArrayBuffer(png));
  const pixels = UPNG.toRGBA8({ width, height, ...decoded });
  for (const colours of [256, 128, 64, 32, 16]) {
    const encoded = Buffer.from(UPNG.encode(pixels, width, height, colours));
    if (encoded.length <= BYTES_MAX) return encoded;
  }
  throw new Error('A picture is too large.');
}

function toArrayBuffer({ buffer, byteOffset, byteLength }) {
  return buffer.slice(byteOffset, byteOffset + byteLength);
}
