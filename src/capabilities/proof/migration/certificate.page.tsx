import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { formatDateTime } from '../../../infrastructure/clock/dates.js';
import { formatHundredths } from '../../../infrastructure/text/money.js';
import { countRows } from '../../../ingest/kinds/items.js';
import type { Certificate } from './certificate.service.js';

const STYLE = `
body { font: 11pt/1.4 Georgia, 'Times New Roman', serif; color: #000; background: #fff; max-width: 17cm; margin: 1.5cm auto; padding: 0 0.5cm; }
h1 { font-size: 18pt; margin: 0 0 0.2cm; }
h2 { font-size: 12pt; margin: 0.6cm 0 0.1cm; border-bottom: 1px solid #000; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; font-weight: normal; padding: 0.05cm 0; border-bottom: 1px dotted #777; overflow-wrap: anywhere; }
td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-left: 0.5cm; }
.digest { font: 11pt/1.7 'Courier New', monospace; margin: 0.2cm 0; word-spacing: 0.2em; }
.warning { border: 2px solid #000; padding: 0.2cm 0.3cm; font-weight: bold; }
.signatures { display: flex; gap: 1.5cm; margin-top: 1.6cm; break-inside: avoid; }
.signatures div { flex: 1; border-top: 1px solid #000; padding-top: 0.1cm; }
@page { size: A4; margin: 1.5cm; }
@media print { body { margin: 0 auto; padding: 0; } h2 { break-after: avoid; } }
`;

const STATES = [
  ['imported', 'Imported'],
  ['pending', 'Pending'],
  ['in_progress', 'In progress'],
  ['failed', 'Failed'],
] as const;

/**
 * A certificate as a page to print: a complete HTML document for black and white, without scripts or other files.
 *
 * Source: choice V8.
 */
export function certificatePage(certificate: Certificate): string {
  return `<!doctype html>\n${renderToString(<CertificateDocument certificate={certificate} />)}\n`;
}

function CertificateDocument({ certificate }: { certificate: Certificate }): VNode {
  const { importSupplier, at, accounts, rows, amounts, control, digest } = certificate;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`Migration of ${importSupplier}`}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <h1>Migration of {importSupplier}</h1>
        <p>What the platform holds at {formatDateTime(at)} (UTC), counted from the stored rows.</p>
        <Warning certificate={certificate} />
        <Figures title="Accounts" figures={STATES.map(([state, name]) => [name, grouped(accounts[state])])} />
        <Figures title="Rows" figures={countRows(rows).map(([name, count]) => [name, grouped(count)])} />
        <Figures
          title="Amounts of the transactions"
          figures={[...amounts].map(([type, amount]) => [type, grouped(formatHundredths(amount))])}
        />
        <Figures
          title="Accounts with control totals"
          figures={[
            ['Agree', grouped(control.with - control.differ)],
            ['Differ', grouped(control.differ)],
          ]}
        />
        <h2>Digest of everything that the imported accounts hold (SHA-256)</h2>
        <p class="digest">{(digest.match(/.{8}/g) ?? []).join(' ')}</p>
        <div class="signatures">
          <div>Platform: name, date, signature</div>
          <div>Supplier: name, date, signature</div>
        </div>
      </body>
    </html>
  );
}

function Warning({ certificate: { accounts, control } }: { certificate: Certificate }): VNode | null {
  const notImported = accounts.pending + accounts.in_progress + accounts.failed;
  if (notImported + control.differ === 0) return null;
  return (
    <p class="warning">
      Not complete: {grouped(notImported)} accounts are not imported, {grouped(control.differ)} differ from
      their control totals.
    </p>
  );
}

function Figures({
  title,
  figures,
}: {
  title: string;
  figures: readonly (readonly [string, string])[];
}): VNode {
  return (
    <>
      <h2>{title}</h2>
      {figures.length === 0 && <p>None.</p>}
      <table>
        <tbody>
          {figures.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** With its thousands grouped. */
function grouped(value: number | string): string {
  const [whole = '', ...decimals] = String(value).split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ','), ...decimals].join('.');
}
