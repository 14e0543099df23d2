import { OrganisationsAndKeys1795998000000 } from './1795998000000-organisations-and-keys.js';
import { SuppliersAndCatalogues1795998060000 } from './1795998060000-suppliers-and-catalogues.js';
import { Accounts1795998120000 } from './1795998120000-accounts.js';
import { ImportRequests1795998180000 } from './1795998180000-import-requests.js';
import { ImportedItems1795998240000 } from './1795998240000-imported-items.js';
import { TotalsAndFeed1795998300000 } from './1795998300000-totals-and-feed.js';
import { AuditAndConsole1795998360000 } from './1795998360000-audit-and-console.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  OrganisationsAndKeys1795998000000,
  SuppliersAndCatalogues1795998060000,
  Accounts1795998120000,
  ImportRequests1795998180000,
  ImportedItems1795998240000,
  TotalsAndFeed1795998300000,
  AuditAndConsole1795998360000,
];
