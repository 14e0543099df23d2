// Imported before the loader: it is killed right before its Nth call (KILL_AT) that changes a file.
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const at = Number(process.env.KILL_AT ?? '0');
let calls = 0;

function counted(call) {
  return function (...args) {
    calls += 1;
    if (calls === at) process.kill(process.pid, 'SIGKILL');
    return call.apply(this, args);
  };
}

const handle = await fsp.open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
for (const name of ['write', 'appendFile', 'truncate', 'datasync', 'sync'])
  prototype[name] = counted(prototype[name]);
for (const name of ['open', 'rename', 'rm', 'mkdir', 'chmod', 'writeFile', 'copyFile'])
  fsp[name] = counted(fsp[name]);
for (const name of ['openSync', 'writeSync', 'rmSync', 'fdatasync']) fs[name] = counted(fs[name]);
syncBuiltinESMExports();
