import { Organisations1795305600000 } from './1795305600000-organisations.js';
import { ImportSuppliers1795305660000 } from './1795305660000-import-suppliers.js';
import { Catalogues1795305720000 } from './1795305720000-catalogues.js';
import { AccountImports1795305780000 } from './1795305780000-account-imports.js';
import { ImportedItems1795305840000 } from './1795305840000-imported-items.js';
import { Audit1795392000000 } from './1795392000000-audit.js';
import { ImportRefusals1795392060000 } from './1795392060000-import-refusals.js';
import { PinnedNotesOfRequests1795392090000 } from './1795392090000-pinned-notes-of-requests.js';
import { CountPinnedNotes1795392091000 } from './1795392091000-count-pinned-notes.js';
import { Erasure1795392120000 } from './1795392120000-erasure.js';
import { StagedRetention1795392180000 } from './1795392180000-staged-retention.js';
import { TraceIds1795478400000 } from './1795478400000-trace-ids.js';
import { Totals1795564800000 } from './1795564800000-totals.js';
import { RefusedValues1795564860000 } from './1795564860000-refused-values.js';
import { ConsoleSessions1795564920000 } from './1795564920000-console-sessions.js';
import { SentNotes1795651200000 } from './1795651200000-sent-notes.js';
import { UndoneRequests1795651260000 } from './1795651260000-undone-requests.js';
import { ControlTotals1795651320000 } from './1795651320000-control-totals.js';
import { IndexNames1795737600000 } from './1795737600000-index-names.js';
import { Evidence1795824000000 } from './1795824000000-evidence.js';
import { RecordedPeriods1795824010000 } from './1795824010000-recorded-periods.js';
import { SessionsOfKeys1795824020000 } from './1795824020000-sessions-of-keys.js';
import { RefusalsOfOrganisations1795824060000 } from './1795824060000-refusals-of-organisations.js';
import { PendingSince1795824070000 } from './1795824070000-pending-since.js';
import { RetryRuns1795824080000 } from './1795824080000-retry-runs.js';
import { Feed1795910000000 } from './1795910000000-feed.js';
import { PlatformKeys1795910400000 } from './1795910400000-platform-keys.js';
import { ControlStates1795996800000 } from './1795996800000-control-states.js';
import { ViewsFromOtherSites1795996810000 } from './1795996810000-views-from-other-sites.js';
import { RefusedItems1795996820000 } from './1795996820000-refused-items.js';
import { UnloadedAccounts1795996860000 } from './1795996860000-unloaded-accounts.js';
import { AccountDownloads1795996920000 } from './1795996920000-account-downloads.js';
import { ArchivedSuppliers1795996930000 } from './1795996930000-archived-suppliers.js';
import { SignInsOfKeys1795996940000 } from './1795996940000-sign-ins-of-keys.js';
import { Activity1795997120000 } from './1795997120000-activity.js';
import { DocumentsLookedUp1795997220000 } from './1795997220000-documents-looked-up.js';
import { DatabasePlace1795997320000 } from './1795997320000-database-place.js';

/** All migrations, oldest first. */
export const MIGRATIONS = [
  Organisations1795305600000,
  ImportSuppliers1795305660000,
  Catalogues1795305720000,
  AccountImports1795305780000,
  ImportedItems1795305840000,
  Audit1795392000000,
  ImportRefusals1795392060000,
  PinnedNotesOfRequests1795392090000,
  CountPinnedNotes1795392091000,
  Erasure1795392120000,
  StagedRetention1795392180000,
  TraceIds1795478400000,
  Totals1795564800000,
  RefusedValues1795564860000,
  ConsoleSessions1795564920000,
  SentNotes1795651200000,
  UndoneRequests1795651260000,
  ControlTotals1795651320000,
  IndexNames1795737600000,
  Evidence1795824000000,
  RecordedPeriods1795824010000,
  SessionsOfKeys1795824020000,
  RefusalsOfOrganisations1795824060000,
  PendingSince1795824070000,
  RetryRuns1795824080000,
  Feed1795910000000,
  PlatformKeys1795910400000,
  ControlStates1795996800000,
  ViewsFromOtherSites1795996810000,
  RefusedItems1795996820000,
  UnloadedAccounts1795996860000,
  AccountDownloads1795996920000,
  ArchivedSuppliers1795996930000,
  SignInsOfKeys1795996940000,
  Activity1795997120000,
  DocumentsLookedUp1795997220000,
  DatabasePlace1795997320000,
];
