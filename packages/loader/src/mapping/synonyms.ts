import { KINDS, type Kind } from '../kinds/kinds.js';

/** What the names of files with items of a list have. */
export const LIST_FILES: Readonly<Record<string, RegExp>> = {
  line_items: /line|item|position|detail/i,
  tax_items: /tax|vat|steuer|mwst|tva/i,
  document_paths: /doc|attach/i,
};

/** A name in lower case with `_` between words, whatever separated them. */
export function normalised(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** Words in the names of files, and what such files hold. */
const FILE_WORDS: Readonly<Record<Kind, RegExp>> = {
  notes: /note|notiz|comment|contact|remarque/i,
  statements: /statement|bill(?!ing)|invoice|rechnung|facture/i,
  'payment-instructions': /mandat|instruction|direct.?debit|sepa|payment.?method/i,
  transactions: /transaction|charge|ledger|journal|buchung|posting|umsatz|[eé]criture|entries/i,
};

/** Names of files with the accounts themselves, which only an option says. */
export const ACCOUNT_FILES = /^(?:accounts?|customers?|clients?|kunden|konten|comptes|cuentas|klanten)\b/i;

/** The kinds whose words the name of a file has. */
export function kindsByWords(name: string): Kind[] {
  return KINDS.filter((kind) => FILE_WORDS[kind].test(name));
}
