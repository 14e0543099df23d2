import { OrganisationsAndKeys1795000000000 } from './1795000000000-organisations-and-keys.js';
import { SuppliersAndCatalogues1795000060000 } from './1795000060000-suppliers-and-catalogues.js';
import { Accounts1795000120000 } from './1795000120000-accounts.js';
import { ImportRequests1795000180000 } from './1795000180000-import-requests.js';
import { ImportedItems1795000240000 } from './1795000240000-imported-items.js';
import { TotalsAndFeed1795000300000 } from './1795000300000-totals-and-feed.js';
import { AuditAndConsole1795000360000 } from './1795000360000-audit-and-console.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  OrganisationsAndKeys1795000000000,
  SuppliersAndCatalogues1795000060000,
  Accounts1795000120000,
  ImportRequests1795000180000,
  ImportedItems1795000240000,
  TotalsAndFeed1795000300000,
  AuditAndConsole1795000360000,
];
