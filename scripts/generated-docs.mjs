// Parts of the documentation that are generated from the code: .env.example, and tables below a heading of their own.

const CATALOGUES = {
  reason: '`reason` of a transaction',
  payment_type: '`payment_type` of a transaction',
  vendor: '`vendor` of a payment instruction',
  instruction_type: '`type` of a payment instruction',
};

const code = (text) => `\`${text}\``;

/**
 * @param source PARTS, CATALOGUE_SEED, VENDORS and NAVIGATION of src, and the routes of the console
 * @param read returns the present text of a file
 * @returns path and text of each file
 */
export function generatedDocs({ PARTS, CATALOGUE_SEED, VENDORS, NAVIGATION, routes }, read) {
  const page = (path, tables) => ({
    path,
    text: Object.entries(tables).reduce(
      (text, [heading, [heads, rows]]) => withTable(path, text, heading, heads, rows),
      read(path),
    ),
  });
  const vendors = Object.entries(VENDORS);
  return [
    { path: '.env.example', text: envExample(PARTS) },
    page('docs/operating/settings.md', Object.fromEntries(PARTS.map(settingsTable))),
    page('docs/write-a-client.md', {
      'Allowed values': [
        ['Field', 'Values'],
        Object.entries(CATALOGUES).map(([name, field]) => [field, CATALOGUE_SEED[name].map(code).join(', ')]),
      ],
    }),
    page('docs/payment-vendors.md', {
      Connections: [
        ['`vendor`', 'Reference', 'Settings'],
        vendors.map(([name, { secret, url, reference }]) => [
          code(name),
          reference,
          `${code(secret)}; ${code(`${name}_API_URL`)} unless it is ${code(url)}`,
        ]),
      ],
      'Stored details': [['From', 'Stored'], vendors.flatMap(([, { stored }]) => Object.entries(stored))],
    }),
    page('docs/console.md', {
      'The navigation': [
        ['Page', 'Address', 'For', 'Shows'],
        Object.values(NAVIGATION).map(({ text, address, about, operatorsOnly }) => [
          text,
          code(address),
          operatorsOnly ? 'operators' : 'everyone',
          about,
        ]),
      ],
      'Who may do what': [['Who', 'Pages', 'Forms'], rolesRows(routes)],
    }),
  ];
}

/** The roles that routes declare, those who may do most first, each with what only they may do. */
function rolesRows(routes) {
  const groups = new Map();
  for (const route of routes.toSorted((a, b) => a.roles.length - b.roles.length)) {
    const who = route.roles.join(', ');
    groups.set(who, [...(groups.get(who) ?? []), route]);
  }
  return [...groups].map(([who, ofThem]) => [
    who,
    ...[false, true].map((isForm) =>
      ofThem
        .filter((route) => route.isForm === isForm)
        .map(({ address }) => code(address.replace('/console/suppliers/:code', '…')))
        .sort()
        .join(', '),
    ),
  ]);
}

/** Every setting with its meaning, unit and default, commented out. */
function envExample(parts) {
  const texts = parts.map(({ title, about, settings }) => {
    const described = Object.entries(settings).map(
      ([name, { default: usual, unit, meaning }]) =>
        `# ${meaning}\n# Unit: ${unit}. Default: ${usual ?? 'none'}.\n# ${name}=${usual ?? ''}\n`,
    );
    return `# ${title.toUpperCase()}: ${about}\n\n${described.join('\n')}`;
  });
  return `# Copy this file to .env and remove the mark # from the settings to change. An empty value counts as absent.\n\n${texts.join('\n\n')}`;
}

function settingsTable({ title, settings }) {
  const rows = Object.entries(settings).map(([name, { default: usual = 'none', unit, meaning }]) => [
    code(name),
    code(usual),
    unit,
    meaning,
  ]);
  return [title, [['Setting', 'Default', 'Unit', 'Meaning'], rows]];
}

/** The page with another first table below a heading. */
function withTable(path, text, heading, heads, rows) {
  const section = text.search(new RegExp(`\n##+ ${heading}\n`));
  const begin = text.indexOf('\n|', section) + 1;
  if (section === -1 || begin === 0) throw new Error(`${path} has no table below "${heading}".`);
  const lineOf = (cells) => `| ${cells.join(' | ')} |\n`;
  const table = [lineOf(heads), `|${'---|'.repeat(heads.length)}\n`, ...rows.map(lineOf)].join('');
  const [former] = /^(?:\|.*\n)*/.exec(text.slice(begin));
  return text.slice(0, begin) + table + text.slice(begin + former.length);
}
