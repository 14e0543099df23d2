import { meantRows } from '../report/left-out-text.js';
import { durationText } from '../report/progress.js';
import type { Result } from '../report/result.js';
import { groupsText, summaryText, timeText } from '../report/text.js';
import { OUTSIDE, WAYS_OUT } from '../send/moving.js';
import { ACCOUNT_NOT_FOUND } from '../send/refusal.js';
import type { Change } from './changes.js';
import { commandText } from './continue.js';
import type { ReadSession, Session } from './session.js';
import { EXIT } from './terminal.js';

/** @param sentMs the time that sending the rows took */
export function printResult(result: Result, { journal, options, terminal }: Session, sentMs: number): void {
  const { isDryRun } = options;
  const seconds = sentMs / 1_000;
  if (options.isJson) {
    const estimated = isDryRun ? { estimated_seconds: Math.ceil(seconds) } : {};
    terminal.print(`${JSON.stringify({ ...result, ...estimated })}\n`);
    return;
  }
  terminal.print(summaryText(result));
  if (result.groups.length > 0) terminal.print(`\n${groupsText(result.groups)}`);
  terminal.print(`\n${timeText(result)}`);
  if (isDryRun)
    terminal.print(`Nothing was stored. Loading takes about this long: ${durationText(seconds)}.\n`);
  else if (result.failed + result.unsent + result.changed.length === 0) {
    const { loaded = 0, already = 0, failed = 0 } = journal.state.runs.at(-1)?.settled ?? {};
    if (loaded + already + failed === 0) terminal.print('Nothing was left to send.\n');
    terminal.print(`${meantRows('Every row', result.checked ? 'is there' : 'was sent', result.left_out)}.\n`);
  }
}

/**
 * Say how the files changed during the run. When some of their rows are settled, only a load from the start can find out which.
 *
 * @returns the exit code
 */
export function sayChanged(
  changes: readonly Change[],
  { journal, options, resume, terminal }: Session,
): number {
  terminal.say('The folder was changed while it was loaded, and these changes are not sent:');
  for (const { text } of changes) terminal.say(`  ${text}`);
  const isSettled = changes.some(({ kind }) => kind !== undefined && journal.state.of(kind).settled > 0);
  const isAgain = isSettled && !options.isDryRun;
  terminal.say('When the folder no longer changes, continue; the service recognises what it has:');
  terminal.say(isAgain ? `${resume} --again` : resume);
  return EXIT.stopped;
}

/** Say what to do next. The last line is the command for it. @returns the exit code */
export function conclude(
  { already, failed, unsent, groups, left_out: leftOut }: Result,
  session: ReadSession,
): number {
  const { command, terminal } = session;
  const { isDryRun, limit } = session.options;
  session.againBecause.forEach(terminal.say);
  if (failed > 0) {
    sayFailed(groups, session);
    return EXIT.failed;
  }
  if (isDryRun) {
    const can = already > 0 ? 'can be loaded or is there already' : 'can be loaded';
    const checked = `Every row that was checked ${can}`;
    terminal.say(`${unsent > 0 ? checked : meantRows('Every row', can, leftOut)}. To load:`);
    terminal.say(next(command, session));
    return EXIT.complete;
  }
  if (unsent === 0) return EXIT.complete;
  terminal.say(
    limit === undefined
      ? 'Some rows were never sent. To send them:'
      : 'Rows of other accounts are not sent, because of --limit. To send them:',
  );
  terminal.say(next('load', session));
  return limit === undefined ? EXIT.stopped : EXIT.complete;
}

/** Say where the failed rows are and how to correct them. */
function sayFailed(groups: Result['groups'], session: ReadSession): void {
  const { command, terminal } = session;
  const { folder, isDryRun } = session.options;
  if (groups.some(({ code }) => code === OUTSIDE))
    terminal.say(`Some are outside the open statement period. ${WAYS_OUT}`);
  if (groups.some(({ code }) => code === ACCOUNT_NOT_FOUND))
    terminal.say(
      'Rows of accounts that are not imported are sent by `load` when an operator of the service has imported them.',
    );
  const isRetried = isDryRun && command === 'retry';
  const where = isDryRun && !isRetried ? 'dry-run' : 'failures';
  terminal.say(
    `The failed rows are in ${folder}/${where}/, which holds customers' data like the folder itself.`,
  );
  if (isRetried) terminal.say(`What is wrong with them now is in ${folder}/dry-run/.`);
  if (isDryRun && !isRetried)
    terminal.say(`Correct them in the files of ${folder}, or load the others and correct these afterwards:`);
  else terminal.say('Correct failed rows there, and send them again:');
  terminal.say(next(isDryRun ? command : 'retry', session));
}

/** A command with the options of this run except `--dry-run`, and `--again` where it would not be accepted otherwise. */
function next(command: 'load' | 'retry', { options, typed, terminal, againBecause }: ReadSession): string {
  const again = againBecause.length > 0 ? ' --again' : '';
  return commandText(command, options.folder, typed, terminal.environment) + again;
}
