import type { FieldOwner } from '../kinds/fields.js';
import { KINDS } from '../kinds/kinds.js';
import { assign, type Assigned } from './assign.js';
import { together } from './column-forms.js';

const KNOWN = {
  transactions: {
    external_account_number:
      'Account No|Account Reference|Customer Ref|Contract No|VK-Nr.|Kundennr.|Numéro de client|Cuenta|CustomerAccountNumber|accountId|Acct Nbr|A/C No.|Customer Number|Client Ref|CUST_ID|Billing Account|Kontonr.|Vertragskontonummer|Kd.-Nr.|Debitorennummer|Kto-Nr|N° de compte|Réf. contrat|Code client|Nº de cliente|Número de cuenta|Numero cliente|Conto cliente|Codice cliente|Klantnummer|Klant-ID|Contractnummer|Rekeningnummer|ACCTNO|Legacy Account Number|Debtor No',
    transaction_id:
      'Txn Ref|Transaction Ref|Ref|Belegnr.|Buchungs-ID|Entry No|transactionId|Trans. No|TXNID|Journal No|Document No.|Voucher No|Posting ID|Charge #|Beleg-Nr.|Buchungsnummer|Vorgangs-ID|N° pièce|N° d’opération|Réf. écriture|ID transacción|Nº movimiento|ID movimento|Numero operazione|Transactie-ID|Boekstuknummer|ID',
    transaction_date:
      'Posted|Transaction Date|Txn Date|Buchungstag|Valuta|Date opération|Fecha|Created|Posting Date|Date Posted|Value Date|Trans Dt|Entry Date|Buchungsdatum|Belegdatum|Wertstellung|Gebucht am|Date de valeur|Date d’écriture|Fecha valor|Fecha de operación|Data operazione|Data contabile|Boekdatum|Transactiedatum|POSTDT',
    amount:
      'Amount|Amt|Betrag|Betrag in €|Betrag in HW|Bedrag|Value|amountGBP|Amount (GBP)|Amount £|Trans Amt|Gross Amount|Total|Charge Amount|Bruttobetrag|Betrag (EUR)|Buchungsbetrag|Umsatz in EUR|Montant TTC|Montant (€)|Importe|Importe EUR|Importo|Bedrag [EUR]',
    type: 'Trans Type|Category|Buchungsart|Vorgang|Nature|Tipo|Transaction Code',
    display_note: 'Description|Buchungstext|Verwendungszweck|Libellé|Concepto|Causale|Omschrijving',
    note: 'Comment|Bemerkung|Remarks|Internal Note',
    product_code: 'Tariff|Product|Tarif',
  },
  statements: {
    statement_id: 'Invoice No|Rechnungsnummer|N° facture|Nº factura|Factuurnummer|Bill ID|Statement No',
    bill_period_from_date: 'Period Start|Von|Du|Desde|Billing Period From|Leistungszeitraum von',
    bill_period_to_date: 'Period End|Bis|Au|Hasta|End Date',
    issued_date: 'Issue Date|Rechnungsdatum|Émise le|Invoice Date|Factuurdatum|Fecha de emisión',
    gross_amount: 'Rechnungsbetrag|Gross Total|Total Amount|Montant TTC|Totaalbedrag',
  },
  notes: {
    body: 'Comment|Notiz|Note Text|Commentaire|Message',
    created_at: 'Created On|Erfasst am|Créé le|Timestamp|Note Date',
  },
  'payment-instructions': { reference: 'Mandate Ref|Mandatsreferenz|Token', vendor: 'Payment Provider' },
} satisfies Partial<Record<FieldOwner, Readonly<Record<string, string>>>>;

const known = Object.entries(KNOWN).flatMap(([owner, fields]) =>
  Object.entries(fields).flatMap(([field, names]) =>
    names.split('|').map((name) => ({ owner: owner as FieldOwner, field, name })),
  ),
);

/** Names of unrelated columns. None of them may be proposed for a field of any kind. */
const OTHERS =
  'Meter Account No|Meter No|Meter Ref|Meter ID|Zählernummer|Zählpunkt|MPAN|MPRN|N° compteur|Contador|Meternummer|EAN code|' +
  'Bank Account No|Bank Account Number|Bankkonto|IBAN|BIC|Sort Code|BLZ|Cuenta bancaria|' +
  'Tax Number|Tax ID|VAT No|VAT Amount|Steuernummer|USt-IdNr.|Steuerbetrag|Numéro de TVA|Partita IVA|Net Amount|Nettobetrag|' +
  'Parent Account|Parent Account No|Group Account ID|Master Account Number|Gegenkonto|Kontengruppe|' +
  'Date of Birth|Birth Date|Geburtsdatum|Date de naissance|Fecha de nacimiento|Geboortedatum|' +
  'Due Date|Invoice Due Date|Fälligkeitsdatum|Fällig am|Date d’échéance|Fecha de vencimiento|Vervaldatum|Amount Due|' +
  'Contract Start Date|Account Start Date|Lieferbeginn|Account Opened|Expiry Date|Next Reading Date|' +
  'Account Manager|Account Manager ID|Kundenbetreuer|Sachbearbeiter|Account Holder|Kontoinhaber|Titulaire du compte|' +
  'Account Type|Kontoart|Customer Type|Type de compte|Account Status|Account Name|Customer Name|Kundenname|Account Balance|Kontostand|Saldo|Account Group|Outstanding Amount|Number of Accounts|Currency|Währung|Customer Email|Lieferantennummer|Sachkonto|GL Account|Kostenstelle|Contact No|Telefonnummer|Postcode|Serial No|Last Payment Date|Amount2|Zählerstand';

function of(owner: FieldOwner, columns: Readonly<Record<string, readonly string[]>>): Assigned {
  const samples = Object.entries(columns).map(([name, values]) => ({ name, values, evidence: together([]) }));
  return assign(owner, samples, []);
}

describe('columns by their words', () => {
  it.each(known)('$name of $owner is $field (L3)', ({ owner, field, name }) => {
    expect([...of(owner, { [name]: [] }).columnOf]).toEqual([[field, name]]);
  });

  it.each(OTHERS.split('|'))('%s stays open (L3)', (name) => {
    for (const owner of KINDS) {
      const { columnOf, contested } = of(owner, { [name]: [] });
      expect({ owner, found: [...columnOf, ...contested] }).toEqual({ owner, found: [] });
    }
  });

  const days = ['15/11/2026', '16/11/2026', '17/11/2026'];
  const amounts = ['12.50', '-1.00', '3'];
  const ids = ['A-1', 'A-2', 'A-3'];
  const numbers = ['1031', '1031', '1032'];

  it.each([
    ['both fit', { 'Value Date': days, Date: days }, {}, { transaction_date: ['Value Date', 'Date'] }],
    ['both fit', { Buchungstag: days, Valuta: days }, {}, { transaction_date: ['Buchungstag', 'Valuta'] }],
    [
      'three fit',
      { Kundennr: numbers, Konto: numbers, 'VK-Nr': numbers },
      {},
      { external_account_number: ['Kundennr', 'Konto', 'VK-Nr'] },
    ],
    [
      'the exact name beats others',
      { Date: days, 'Transaction Date': days },
      { transaction_date: 'Transaction Date' },
      {},
    ],
    ['the better name', { Ref: ids, 'Txn Ref': ids }, { transaction_id: 'Txn Ref', reference: 'Ref' }, {}],
    ['a note has no days', { Note: days, Remark: days }, { note: 'Note' }, {}],
    ['a text has no numbers', { Description: amounts, Comment: numbers }, {}, {}],
    ['a day is no word', { Posted: ['Y', 'N', 'Y'], Valuta: ['EUR', 'EUR', 'EUR'] }, {}, {}],
    ['a word is no amount', { Total: ['many', 'few', ''] }, {}, {}],
    [
      'names of customers are no number',
      { Customer: ['Total Fitness Ltd', 'ACME Ltd'], Account: numbers },
      { external_account_number: 'Account' },
      {},
    ],
    ['nor is a name alone', { Customer: ['Smith', 'Jones'] }, {}, {}],
    ['ids are', { Client: ids }, { external_account_number: 'Client' }, {}],
    [
      "a bank's number",
      { 'Account Number': numbers, 'Sort Code': ['10-20-30'] },
      {},
      { external_account_number: ['Account Number'] },
    ],
    [
      "a bank's number",
      { Kontonummer: numbers, IBAN: ['DE1'] },
      {},
      { external_account_number: ['Kontonummer'] },
    ],
    [
      "a customer's number beside a bank's",
      { 'Account No': numbers, BIC: ['X'], 'Customer No': numbers },
      { external_account_number: 'Customer No' },
      {},
    ],
    ['the only days', { Foo: days, Amount: amounts }, { amount: 'Amount', transaction_date: 'Foo' }, {}],
    ['the only amounts', { F1: amounts, F2: numbers }, { amount: 'F1' }, {}],
    ['the only ids', { F1: numbers, F2: ids }, { transaction_id: 'F2' }, {}],
    ['not one of two', { F1: days, F2: days, F5: ids, F6: ids }, {}, {}],
    ['not an amount beside other numbers', { F1: amounts, F2: ['7', '350'] }, {}, { amount: ['F1', 'F2'] }],
    ['an amount beside kWh', { F1: amounts, kWh: ['7', '350'] }, { amount: 'F1' }, {}],
    [
      'not against its name',
      { 'Due Date': days, 'VAT Amount': amounts, 'Meter No': ids, 'Birth Day': [] },
      {},
      {},
    ],
  ] as [string, Record<string, string[]>, object, object][])('%s: %j (L3)', (_, columns, taken, open) => {
    const { columnOf, contested } = of('transactions', columns);
    expect([Object.fromEntries(columnOf), Object.fromEntries(contested)]).toEqual([taken, open]);
  });
});
