import '../../src/app.module.js';
import { GROUPS } from '../../src/apps/cli/command-groups.js';

// The service and the commands import every module, and with it every query.
for (const { load } of Object.values(GROUPS)) await load();
