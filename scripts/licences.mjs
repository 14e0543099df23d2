// npm run licences: list the licence of each package of production in package-lock.json; exit code 1 when one is not allowed.
// With the name of a CycloneDX file, check that file instead.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
const packages = file === undefined ? locked() : listed(JSON.parse(readFileSync(file, 'utf8')));

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

/** Without those that only tests and the build need. */
function locked() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    )
    .map(([path, { version, license = '' }]) =>
      named(path.replace(/^.*node_modules\//, ''), version, license),
    );
}

/** @param sbom in CycloneDX format */
function listed({ components }) {
  return components.map(({ purl, licenses = [] }) => {
    const [, name, version] = /^pkg:npm\/(.+)@(.*)$/.exec(decodeURIComponent(purl));
    const all = licenses.map(({ license, expression }) => expression ?? license.id ?? license.name);
    return named(name, version, all.join(' AND '));
  });
}

function named(name, version, licence) {
  return { name: `${name}@${version}`, licence: READ[name] ?? licence };
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
