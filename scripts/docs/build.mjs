// node scripts/docs/build.mjs FOLDER: writes the files served below /docs/: the reference of both interfaces, their documents, the
// guides, and the loader's page. The loader itself must already be in FOLDER/loader.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../prepare.mjs';
import { codeBlock, readerOf, scrolling } from './markdown.mjs';
import { html, pageOf } from './page.mjs';
import { referenceOf } from './reference.mjs';

const [folder] = process.argv.slice(2);
const PROGRAM = 'data-import-loader.mjs';

const REFERENCES = [
  { address: '', name: 'REST API', source: 'contract/openapi.json' },
  { address: 'feed/', name: 'Feed API', source: 'contract/platform.json' },
];
/** Guides for people who load data. */
const GUIDES = [
  { address: 'guides/write-a-client/', name: 'Write a client', source: 'docs/write-a-client.md' },
  { address: 'guides/client/', name: 'Client for Node.js', source: 'packages/client/README.md' },
  { address: 'guides/errors/', name: 'Errors', source: 'docs/errors.md' },
  { address: 'guides/proof/', name: 'Proof', source: 'docs/proof.md' },
  { address: 'guides/platform/', name: 'Reading the feed', source: 'docs/platform.md' },
];
const LOADER = [
  { address: 'guides/load-files/', name: 'Load files', source: 'docs/load-files.md' },
  { address: 'loader/manual/', name: 'Loader manual', source: 'packages/loader/README.md' },
  { address: 'loader/mapping/', name: 'Mapping file', source: 'packages/loader/docs/mapping.md' },
];
const FILES = ['openapi.json', 'platform.json', 'schema.graphql'].map((name) => ({
  address: name,
  name,
  source: `contract/${name}`,
}));
const NAVIGATION = [
  ['API reference', REFERENCES],
  ['Guides', GUIDES],
  ['Loader', [{ address: 'loader/', name: 'Download' }, ...LOADER]],
  ['Files', FILES],
];
/** The published files of the project. Links between them become links between pages; links to other files are removed. */
const SHOWN = new Map([...GUIDES, ...LOADER, ...FILES].map((page) => [page.source, page]));
// Its table of all pages is the navigation here.
SHOWN.set('README.md', { address: '', name: 'All pages', part: 'pages' });

const text = (source) => readFileSync(join(ROOT, source), 'utf8');

for (const { address, source } of [...GUIDES, ...LOADER]) {
  writePage({ address, ...readerOf(source, SHOWN).page(text(source)) });
}
for (const { address, name, source } of REFERENCES) {
  const document = JSON.parse(text(source));
  writePage({ address, title: name, ...referenceOf(document, readerOf(source, SHOWN)) });
  // A relative URL: the API's server is the one that served the document.
  write(source.split('/')[1], `${JSON.stringify({ ...document, servers: [{ url: '/' }] }, null, 2)}\n`);
}
writePage({ address: 'loader/', title: 'The loader', body: loaderPage() });
write('schema.graphql', text('contract/schema.graphql'));
copyFileSync(join(ROOT, 'scripts/docs/docs.css'), join(folder, 'docs.css'));
copyFileSync(join(ROOT, 'src/apps/console/assets/icon.svg'), join(folder, 'icon.svg'));

function writePage(page) {
  write(`${page.address}index.html`, pageOf(page, NAVIGATION));
}

function write(path, content) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function loaderPage() {
  const bytes = readFileSync(join(folder, 'loader', PROGRAM)).length;
  const [sha256] = readFileSync(join(folder, 'loader', `${PROGRAM}.sha256`), 'utf8').split(' ');
  const { version } = JSON.parse(text('package.json'));
  return html`<p>
      Loads files into this service. It checks them first, continues after an interruption, lists the rows
      that failed with their causes, and verifies that all rows are stored. It is one file and needs only
      Node.js 20.19 or newer.
    </p>
    ${scrolling(
      html`<table>
        <tr>
          <th scope="row">File</th>
          <td><a href="/docs/loader/${PROGRAM}" download>${PROGRAM}</a></td>
        </tr>
        <tr>
          <th scope="row">Version</th>
          <td>${version}, that of this service</td>
        </tr>
        <tr>
          <th scope="row">Size</th>
          <td>${bytes.toLocaleString('en')} bytes</td>
        </tr>
        <tr>
          <th scope="row">SHA-256</th>
          <td><code>${sha256}</code> (<a href="/docs/loader/${PROGRAM}.sha256">${PROGRAM}.sha256</a>)</td>
        </tr>
      </table>`,
    )}
    ${codeBlock(`export DATA_IMPORT_BASE_URL=https://import.example.com   # the address of this service
curl -f --remote-name-all "$DATA_IMPORT_BASE_URL/docs/loader/${PROGRAM}" "$DATA_IMPORT_BASE_URL/docs/loader/${PROGRAM}.sha256"
sha256sum -c ${PROGRAM}.sha256
node ${PROGRAM} --help
`)}
    <p>
      On macOS <code>sha256sum</code> is <code>shasum -a 256</code>; on Windows the names are
      <code>curl.exe</code> and <code>certutil -hashfile ${PROGRAM} SHA256</code>. For a proxy set
      <code>HTTPS_PROXY</code>, and for a certificate authority of your own <code>NODE_EXTRA_CA_CERTS</code>.
    </p>
    <ul>
      <li><a href="/docs/loader/manual/">The manual of the loader</a></li>
      <li>
        <a href="/docs/loader/mapping/">The mapping file</a>, for files of another form, and its
        <a href="/docs/loader/mapping.schema.json">JSON Schema</a>
      </li>
      <li><a href="/docs/guides/load-files/">Load files</a>, from the download to the proof</li>
    </ul>`;
}
