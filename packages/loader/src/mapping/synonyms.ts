import { KINDS, type Kind } from '../kinds/kinds.js';

/** Words in the names of files with items of a list. */
export const LIST_FILES: Readonly<Record<string, RegExp>> = {
  line_items: /line|item|position|detail/i,
  tax_items: /tax|vat|steuer|mwst|tva/i,
  document_paths: /doc|attach/i,
};

/** A name in lower case. Its words are separated by `_`, whatever separated them before. */
export function normalised(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
}

/** Words in the names of files, by the kind that such files contain. */
const FILE_WORDS: Readonly<Record<Kind, RegExp>> = {
  notes: /note|notiz|comment|contact|remarque/i,
  statements: /statement|bill(?!ing)|invoice|rechnung|facture/i,
  'payment-instructions': /mandat|instruction|direct.?debit|sepa|payment.?method/i,
  transactions: /transaction|charge|ledger|journal|buchung|posting|umsatz|[eé]criture|entries/i,
};

/** Names of files with the accounts themselves. Such files are recognised only with an option. */
export const ACCOUNT_FILES = /^(?:accounts?|customers?|clients?|kunden|konten|comptes|cuentas|klanten)\b/i;

/** The kinds whose words occur in the name of a file. */
export function kindsByWords(name: string): Kind[] {
  return KINDS.filter((kind) => FILE_WORDS[kind].test(name));
}
