import { commandText, optionsText } from './continue.js';
import type { LoadFlags } from './options.js';

const FLAGS: LoadFlags = { concurrency: '8', itemsPerRequest: '500', giveUpAfter: '10m' };

describe('the next command', () => {
  it('has the options that differ from their defaults, quoted for a shell', () => {
    const options = optionsText({
      ...FLAGS,
      supplier: 'ACME',
      concurrency: '3',
      report: "night's report.html",
    });
    expect(commandText('retry', 'my folder', options, {})).toBe(
      `data-import-loader retry 'my folder' --supplier ACME --concurrency 3 --report 'night'\\''s report.html'`,
    );
    expect(commandText('load', 'acme', optionsText(FLAGS), {})).toBe('data-import-loader load acme');
    expect(optionsText({ ...FLAGS, check: true })).toBe('');
    expect(optionsText({ ...FLAGS, check: false })).toBe('--no-check');
  });

  it('begins with npx when the loader was started with npx', () => {
    expect(commandText('load', 'acme', '', { npm_command: 'exec' })).toBe('npx data-import-loader load acme');
  });
});
