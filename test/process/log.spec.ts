import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

describe('the log of a process', () => {
  let child: ChildProcessWithoutNullStreams;
  let ended: Promise<unknown[]>;
  beforeEach(() => {
    child = spawn(process.execPath, ['test/support/logging-process.mjs']);
    ended = once(child, 'close');
  });
  afterEach(async () => {
    child.kill('SIGKILL');
    await ended;
  });

  const send = async (word: string): Promise<void> => {
    const answers = createInterface({ input: child.stdout });
    const answer = once(answers, 'line');
    child.stdin.write(`${word}\n`);
    expect(await answer).toEqual([`${word} is done`]);
    answers.close();
  };

  it('is complete when the process ends, including buffered lines (engineering rule)', async () => {
    const written = child.stderr.setEncoding('utf8').toArray();
    await send('much');
    await send('fatal');
    await send('much');
    child.stdin.write('exit\n');
    expect(await ended).toEqual([3, null]);
    const lines = (await written)
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(lines).toHaveLength(2_001);
    expect(lines[1_000]).toBe('the last line');
  });

  it('does not make an exiting process wait for a reader that has stopped reading (engineering rule)', async () => {
    // More than a pipe holds, because nobody reads standard error.
    for (let times = 0; times < 5; times += 1) await send('much');
    child.stdin.write('exit\n');
    expect(await once(child, 'exit')).toEqual([3, null]);
  });

  it.each([['fatal'], ['much'], ['exit']])(
    'does not block the process after its reader has gone, if “%s” comes first (engineering rule)',
    async (first) => {
      await send('nothing');
      child.stderr.destroy();
      if (first !== 'exit') {
        await send(first);
        await send('fatal');
        await send('much');
      }
      child.stdin.write('exit\n');
      expect(await ended).toEqual([3, null]);
    },
  );
});
