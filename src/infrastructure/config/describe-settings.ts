import { NONE } from './setting-parsers.js';
import { PARTS } from './settings.js';

const BEGIN = '<!-- settings: begin (npm run settings) -->';
const END = '<!-- settings: end -->';

/** The file `.env.example`: every setting with its meaning, unit and default, commented out. */
export function envExample(): string {
  const parts = PARTS.map(({ title, about, settings }) => {
    const described = Object.entries(settings).map(
      ([name, { default: usual = NONE, unit, meaning }]) =>
        `# ${meaning}\n# Unit: ${unit}. Default: ${usual}.\n# ${name}=${usual === NONE ? '' : usual}\n`,
    );
    return `# ${title.toUpperCase()}: ${about}\n\n${described.join('\n')}`;
  });
  return `# Copy this file to .env and remove the mark # from the settings to change. An empty value counts as absent.\n\n${parts.join('\n\n')}`;
}

/**
 * Replace the settings tables between the two markers.
 *
 * @param page the text of docs/operating/settings.md
 * @throws Error if the page lacks the markers
 */
export function withSettingsTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin)
    throw new Error('docs/operating/settings.md lacks the marks of its settings tables.');
  const parts = PARTS.map(({ title, about, settings }) => {
    const rows = Object.entries(settings).map(
      ([name, { default: usual = NONE, unit, meaning }]) =>
        `| \`${name}\` | \`${usual}\` | ${unit} | ${meaning} |`,
    );
    const table = ['| Setting | Default | Unit | Meaning |', '|---|---|---|---|', ...rows].join('\n');
    return `## ${title}\n\n${about}\n\n${table}`;
  });
  return `${page.slice(0, begin)}${BEGIN}\n\n${parts.join('\n\n')}\n\n${page.slice(end)}`;
}
