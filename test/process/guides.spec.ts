import { chmodSync, mkdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { runCommand, runJson } from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { folderWith } from '../support/folders.js';
import { freePort } from '../support/free-port.js';
import { blocksOf, runBlocks } from '../support/page-commands.js';
import { onlyWith } from '../support/service-process.js';
import { startService, TOKEN_SIGNING_KEY, type TestService } from '../support/service.js';
import { inBlock, setUpEach } from '../support/set-up.js';

const ROOT = process.cwd();
const ADDRESS = 'https://import.example.com';
/** Of a test that starts a service four times, and some commands. */
const TIMEOUT_MS = 600_000;

describe('the commands of a guide for suppliers', () => {
  const service = setUpEach(startService);
  let key: string;
  beforeEach(async () => {
    const { database } = service;
    await runCommand(database, ['organisation', 'create', 'Acme Energy']);
    const supplier = ['supplier', 'create', 'ACME', '--name', 'Acme'];
    await runCommand(database, [...supplier, '--organisation', 'Acme Energy']);
    ({ key } = (await runJson(database, ['api-key', 'issue', 'Acme Energy'])).json as { key: string });
  });

  /** What the operator of the service has set, with the operator command. */
  function environment({ database }: TestService): NodeJS.ProcessEnv {
    const bin = folderWith({ 'data-import': `#!/bin/sh\nexec node ${ROOT}/scripts/cli.mjs "$@"\n` });
    chmodSync(join(bin, 'data-import'), 0o755);
    const settings = { DATABASE_URL: database.url, TOKEN_SIGNING_KEY, OPERATOR: 'operator' };
    return { ...onlyWith(settings), PATH: [bin, process.env.PATH].join(delimiter) };
  }

  it('load files, from the download to the certificate: docs/load-files.md (L15)', async () => {
    const { output, failed } = await runBlocks(blocksOf('docs/load-files.md'), {
      cwd: folderWith(),
      env: environment(service),
      replaced: { [ADDRESS]: service.baseUrl },
      input: `${key}\n`,
    });
    expect(failed).toEqual([
      'node data-import-loader.mjs load acme --mapping mapping.json --dry-run',
      'node data-import-loader.mjs load acme --mapping mapping.json',
    ]);
    for (const shown of blocksOf('docs/load-files.md', 'text')) expect(output).toContain(shown);
  });

  it('write a client, from the key to the check of what arrived: docs/write-a-client.md', async () => {
    const account = JSON.stringify({ external_account_number: '1001', open_statement_from: '2025-01-01' });
    await runCommand(service.database, ['accounts', 'stage', 'ACME', '-'], account);
    await runCommand(service.database, ['accounts', 'import', 'ACME']);
    const page = 'docs/write-a-client.md';
    const [program = ''] = blocksOf(page, 'js');
    const { output, failed } = await runBlocks(blocksOf(page), {
      cwd: folderWith({ 'client.mjs': program }),
      env: environment(service),
      replaced: { [ADDRESS]: service.baseUrl },
      input: `${key}\n`,
    });
    expect(failed).toEqual([]);
    expect(output).toContain('"status":"COMPLETED"');
    expect(output.match(/TRANSACTION_ADDED_TO_ACCOUNT/g)).toHaveLength(2);
    expect(output).toContain('"attr":"notes.0.body"');
    expect(output).toContain('1001 2 stored\n');
    expect(output).toContain('"transactions":{"count":2,');
  });
});

/** Programs of Debian and Docker. An instance is a process of the build, and the root of the file system is the folder `$R`. */
const STAND_INS = `
trap 'kill $(cat $R/*.pid) 2>/dev/null; wait' EXIT
for name in apt-get useradd haproxy promtool createuser createdb docker sleep; do eval "$name() { :; }"; done
su() {
  mkdir -p "$R/srv/build/\${4##*/}"
  ln -sfn "$PROJECT" "$R/srv/build/source"
  for name in scripts dist node_modules package.json deploy; do ln -s "$PROJECT/$name" "$R/srv/build/\${4##*/}/"; done
}
runuser() { shift 3; "$@"; }
install() {
  local kept=()
  while (( $# )); do case "$1" in -o | -g) shift 2 ;; *) kept+=("$1"); shift ;; esac; done
  command install "\${kept[@]}"
}
settings() {
  set -a
  for name; do . "$R/etc/data-import/$name.env"; done
  DATABASE_URL="$TEST_DATABASE" DATA_DIR="$R/var/lib/data-import" DOCUMENT_STORE="file://$R/var/lib/data-import/documents"
  set +a
}
data-import() { (settings data-import; exec node "$R/opt/data-import/current/scripts/cli.mjs" "$@"); }
systemctl() {
  for unit; do
    name="\${unit#data-import@}"
    [[ "$name" == "$unit" ]] && continue
    [[ -e "$R/$name.pid" ]] && kill "$(cat "$R/$name.pid")" && wait "$(cat "$R/$name.pid")"
    (settings data-import "$name"; exec node "$R/opt/data-import/current/scripts/start.mjs" >"$R/$name.log" 2>&1) &
    echo $! >"$R/$name.pid"
  done
}
`;

it(
  'the commands of docs/operate-and-deploy.md deploy the service, load files, upgrade it and make secrets for containers',
  async () => {
    await using database = inBlock(await createDatabase());
    const root = folderWith();
    const made = 'etc/systemd/system etc/haproxy etc/prometheus usr/local/bin root opt'.split(' ');
    for (const path of made) mkdirSync(join(root, path), { recursive: true });
    const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const [one, two, ...metrics] = ports.map(String);
    const folders = ['/etc/', '/srv/', '/opt/', '/var/lib/', '/usr/local/', '/root/'];
    const { output, failed } = await runBlocks(
      blocksOf('docs/operate-and-deploy.md').map((block) =>
        // The containers are started in the folder of the project.
        block.startsWith('deploy/')
          ? `mkdir $R/project && cp -r "$PROJECT/deploy" $R/project/ && cd $R/project\n${block}`
          : block,
      ),
      {
        cwd: root,
        env: {
          ...onlyWith({}),
          R: root,
          PROJECT: resolve(ROOT),
          TEST_DATABASE: database.url,
          OPERATOR: 'operator',
        },
        before: STAND_INS,
        replaced: {
          ...Object.fromEntries(folders.map((folder) => [folder, `${root}${folder}`])),
          ...{ 'https://localhost': `http://127.0.0.1:${one}`, [ADDRESS]: `http://127.0.0.1:${one}` },
          ...{ '3001': one!, '3002': two!, '9464': metrics[0]!, '9465': metrics[1]! },
        },
      },
    );
    expect(failed).toEqual([]);
    expect(output.match(/\{"status":"ok","database":"up"\}/g)).toHaveLength(6);
    expect(output).toMatch(/^All 2,400 rows of .* of 100 accounts are at the service, and nothing else\.$/m);
    expect(output).toContain('The secrets are in deploy/secrets.');
  },
  TIMEOUT_MS,
);
