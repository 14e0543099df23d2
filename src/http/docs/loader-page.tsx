import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { VNode } from 'preact';
import { buildFile } from '../../config/project-file.js';
import { VERSION } from '../../config/version.js';
import type { DocsPage } from './docs-layout.js';

/** The loader in one file, with its checksum and the JSON Schema of a mapping (packages/loader/build.mjs). */
export const LOADER_FILES = {
  program: 'data-import-loader.mjs',
  checksum: 'data-import-loader.mjs.sha256',
  schema: 'mapping.schema.json',
} as const;

export function readLoaderFile(name: string): Promise<Buffer> {
  return readFile(buildFile(`loader/${name}`));
}

/**
 * The page from which the loader is downloaded.
 *
 * Source: choice L15.
 */
export async function loaderPage(): Promise<DocsPage> {
  const { program, checksum, schema } = LOADER_FILES;
  const content = await readLoaderFile(program);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const commands = `export DATA_IMPORT_BASE_URL=https://import.example.com   # the address of this service
curl -f --remote-name-all "$DATA_IMPORT_BASE_URL/docs/loader/${program}" "$DATA_IMPORT_BASE_URL/docs/loader/${checksum}"
sha256sum -c ${checksum}
node ${program} --help
`;
  const body = (
    <div class="guide">
      <p>
        Loads files into this service. It checks them first, continues after an interruption, lists the rows
        that failed with their causes, and verifies that all rows are stored. It is one file and needs only
        Node.js 20.19 or newer.
      </p>
      <FileTable bytes={content.length} sha256={sha256} />
      <pre tabindex={0}>
        <code>{commands}</code>
      </pre>
      <p>
        On Windows the names are <code>curl.exe</code> and <code>certutil -hashfile {program} SHA256</code>.
        For a proxy set <code>HTTPS_PROXY</code>, and for a certificate authority of your own{' '}
        <code>NODE_EXTRA_CA_CERTS</code>.
      </p>
      <ul>
        <li>
          <a href="/docs/loader/manual/">The manual of the loader</a>
        </li>
        <li>
          <a href="/docs/loader/mapping/">The mapping file</a>, for files of another form, and its{' '}
          <a href={`/docs/loader/${schema}`}>JSON Schema</a>
        </li>
        <li>
          <a href="/docs/guides/migrating/">A whole migration</a>, with its outputs
        </li>
      </ul>
    </div>
  );
  return { address: 'loader/', title: 'The loader', body };
}

function FileTable({ bytes, sha256 }: { bytes: number; sha256: string }): VNode {
  const { program, checksum } = LOADER_FILES;
  return (
    <div class="scroll" role="group" aria-label="Table" tabindex={0}>
      <table>
        <tr>
          <th scope="row">File</th>
          <td>
            <a href={`/docs/loader/${program}`} download>
              {program}
            </a>
          </td>
        </tr>
        <tr>
          <th scope="row">Version</th>
          <td>{VERSION}, that of this service</td>
        </tr>
        <tr>
          <th scope="row">Size</th>
          <td>{bytes.toLocaleString('en')} bytes</td>
        </tr>
        <tr>
          <th scope="row">SHA-256</th>
          <td>
            <code>{sha256}</code> (<a href={`/docs/loader/${checksum}`}>{checksum}</a>)
          </td>
        </tr>
      </table>
    </div>
  );
}
