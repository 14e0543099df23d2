import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from '../support/certificates.js';
import { documentIn, runProcess, type CommandEnd } from '../support/cli.js';
import {
  AWS_ENVIRONMENT,
  startScriptedObjectStore,
  type ScriptedObjectStore,
} from '../support/object-store.js';
import { startService, type TestService } from '../support/service.js';
import { folderWith } from '../support/folders.js';

// Node.js reads NODE_EXTRA_CA_CERTS once, at the start of a process.
describe('an object store whose certificate is signed by the operator’s own authority', () => {
  const folder = folderWith();
  let root: string;
  let store: ScriptedObjectStore;
  let service: TestService;
  let supplier: string;

  beforeAll(async () => {
    root = join(folder, 'root.crt');
    const authority = await createAuthority();
    await writeFile(root, authority.cert);
    store = await startScriptedObjectStore(await authority.issue({ host: '127.0.0.1' }));
    service = await startService({ DOCUMENT_STORE: store.address });
    const { token, ref } = await service.given.importedAccount();
    supplier = ref.import_supplier;
    const note = { body: 'A note', document_paths: [{ document_path: 'letter.pdf' }] };
    const { status, body } = await service.post('notes/create/', token, { ...ref, notes: [note] });
    expect({ status, body }).toMatchObject({ status: 201 });
  });
  afterAll(async () => {
    await service.stop();
    await store.stop();
  });

  const check = (variables: Record<string, string>): Promise<CommandEnd> =>
    runProcess(service.database, ['documents', 'check', supplier, '--json'], '', {
      ...AWS_ENVIRONMENT,
      DOCUMENT_STORE: store.address,
      ...variables,
    });

  it('receives no request without the authority, and the sentence names the certificate (F4)', async () => {
    const before = store.requested.length;
    const { exitCode, stdout } = await check({});
    expect({ exitCode, result: documentIn(stdout) }).toEqual({
      exitCode: 1,
      result: {
        error: {
          code: expect.any(String) as string,
          detail: expect.stringMatching(
            /^The bucket bucket \(DOCUMENT_STORE\) cannot be read: .*certificate/,
          ) as string,
        },
      },
    });
    expect(store.requested).toHaveLength(before);
  });

  it('is read with the authority in NODE_EXTRA_CA_CERTS (F4)', async () => {
    const { exitCode, stdout } = await check({ NODE_EXTRA_CA_CERTS: root });
    expect({ exitCode, result: documentIn(stdout) }).toEqual({
      exitCode: 0,
      result: { checked: 1, missing: [] },
    });
  });
});
