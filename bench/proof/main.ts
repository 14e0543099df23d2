import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { EmbeddedSite } from '../../test/support/reliability/sites.js';
import { wholeNumber } from '../options.js';
import { grouped, publish } from '../report.js';
import { Proof, type Sample } from './proof.js';

interface Options extends Sample {
  readonly write: boolean;
}

/** Prove a migration, and print its steps. The exit code is 1 when a step ends otherwise than it must. */
export async function main(argv: readonly string[]): Promise<void> {
  const options = readOptions(argv);
  const folder = mkdtempSync(join(tmpdir(), 'data-import-proof-'));
  const site = await EmbeddedSite.start();
  try {
    const steps = await new Proof(site, folder, options, log).run();
    await publish(
      {
        section: 'proof',
        windows: `${grouped(options.accounts)} accounts, seed ${options.seed}`,
        tables: [
          {
            head: ['Step', 'What `verify` or the command said', 'Seconds'],
            rows: steps.map(({ what, verdict, seconds }) => [what, verdict, seconds.toFixed(0)]),
          },
        ],
      },
      { write: options.write, page: 'proof.md', database: 'PostgreSQL 18.4', log },
    );
  } finally {
    await site.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOptions(argv: readonly string[]): Options {
  return new Command('npm run proof --')
    .description('Load a sample through kills, verify it, damage it, undo a part of it, and load it again.')
    .option(
      '--accounts <n>',
      'accounts of the sample, each with 20 transactions',
      wholeNumber(100, 1_000_000),
      20_000,
    )
    .option('--seed <n>', 'of the sample', wholeNumber(0, 2 ** 32 - 1), 1)
    .option('--write', 'write the table to docs/proof.md', false)
    .allowExcessArguments(false)
    .parse(argv, { from: 'user' })
    .opts<Options>();
}

function log(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
