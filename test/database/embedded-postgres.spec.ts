import { existsSync } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  joinEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/database/embedded/embedded-postgres.js';

/** The tests build on each other: creating the files takes seconds. */
describe('the embedded PostgreSQL of a DATA_DIR', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'data-import-test-embedded-'));
  });
  afterAll(async () => {
    await rm(dataDir, { recursive: true });
  });

  const joinAs = (role: 'service' | 'command'): Promise<EmbeddedPostgres> =>
    joinEmbeddedPostgres({ dataDir, role, say: () => undefined });

  it('has its name on the disk before it is used: a power failure leaves all of it or nothing (section 6)', async () => {
    const folder = await open(dataDir);
    const handles = Object.getPrototypeOf(folder) as FileHandle;
    const { ino } = await folder.stat();
    await folder.close();
    const sync = Reflect.get(handles, 'sync');
    const seen: string[] = [];
    handles.sync = async function (this: FileHandle) {
      if ((await this.stat()).ino === ino && existsSync(join(dataDir, 'postgres'))) {
        seen.push(existsSync(join(dataDir, 'postgres', 'postmaster.pid')) ? 'running' : 'created');
      }
      await sync.call(this);
    };
    try {
      await (await joinAs('service')).release();
    } finally {
      handles.sync = sync;
    }
    expect(seen).toEqual(['created']);
  });

  it('listens on the port of its last start again, where those who know its address look for it (section 6)', async () => {
    const ports: string[] = [];
    for (const role of ['command', 'service', 'command'] as const) {
      const { url, release } = await joinAs(role);
      ports.push(new URL(url).port);
      await release();
    }
    expect(new Set(ports).size).toBe(1);
  });
});
