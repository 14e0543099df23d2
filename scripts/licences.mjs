// npm run licences: list the licence of each package installed for production; exit code 1 when one is not allowed.
// With the name of a CycloneDX file, check that file instead.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ROOT } from './prepare.mjs';

/** Allowed licences (SPDX), each with the reason. Allowing another one is a decision: add it here with its reason. */
const ALLOWED = {
  MIT: 'asks for its notice only',
  'BSD-3-Clause': 'asks for its notice only',
  'BSD-2-Clause': 'asks for its notice only',
  ISC: 'asks for its notice only',
  '0BSD': 'asks for nothing',
  'CC0-1.0': 'asks for nothing',
  'BlueOak-1.0.0': 'asks for its notice only',
  'Apache-2.0': 'asks for its notice; grants patents',
  'Python-2.0': 'asks for its notice only (argparse)',
};

/** Packages whose package.json names no SPDX licence, with the licence in their LICENSE file. */
const READ = { 'htmx.org': '0BSD' };

const [file] = process.argv.slice(2);
const sbom = file === undefined ? installed() : readFileSync(file, 'utf8');
const packages = JSON.parse(sbom).components.map(({ purl, licenses = [] }) => {
  const name = decodeURIComponent(purl.replace(/^pkg:npm\//, ''));
  const named = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name);
  return { name, licence: named.join(' AND ') || (READ[name.replace(/@[^@]*$/, '')] ?? '') };
});

for (const [licence, names] of byLicence(packages)) {
  process.stdout.write(`${licence || 'none'} (${names.length}): ${names.join(', ')}\n`);
}
const refused = packages.filter(({ licence }) => !isAllowed(licence));
for (const { name, licence } of refused) {
  process.stderr.write(
    `${name} has the licence ${licence || 'none'}, which scripts/licences.mjs does not allow.\n`,
  );
}
process.exitCode = refused.length === 0 ? 0 : 1;

/** npm's SBOM of the installed packages, without those that only tests and the build need. */
function installed() {
  const options = {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  };
  return execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], options);
}

/** Whether an SPDX expression is allowed: one operand of OR must be, and all operands of AND. */
function isAllowed(licence) {
  const alternatives = licence.replaceAll(/[()]/g, '').split(' OR ');
  return alternatives.some((one) => one.split(' AND ').every((part) => Object.hasOwn(ALLOWED, part)));
}

function byLicence(all) {
  const groups = new Map();
  for (const { name, licence } of all) groups.set(licence, [...(groups.get(licence) ?? []), name]);
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}
