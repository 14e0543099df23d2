// A service of a script's own, with an embedded database; its operator commands, and requests to it.
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './prepare.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };

/** @returns the address of the service, the sign-in link that it prints, and `stop` */
export async function startOwn(settings) {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: ROOT,
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let printed = '';
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}: ${printed}`)));
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Listening on ')) resolve();
    });
  });
  const [, url] = /Listening on (http:\S+)\. /.exec(printed);
  const [, link] = /^Console +(\S+)/m.exec(printed);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, link, stop };
}

/** @returns a function that runs an operator command and returns its JSON */
export function commandsWith(settings) {
  return async (words) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/cli.mjs', ...words, '--json'], {
      cwd: ROOT,
      env: settings,
    });
    return JSON.parse(stdout);
  };
}

/** @returns a function that sends a POST, or without a payload a GET, with a token of the key, and returns status and answer */
export async function senderOf(url, apiKey) {
  const query = 'mutation($key: String!) { obtainServiceToken(input: {apiKey: $key}) { token } }';
  const obtained = await fetch(`${url}/v1/graphql/`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify({ query, variables: { key: apiKey } }),
  });
  const { data } = await obtained.json();
  const authorization = `Token ${data.obtainServiceToken.token}`;
  return async (path, payload, headers = {}) => {
    const response = await fetch(new URL(path, `${url}/v1/data-import/`), {
      method: payload === undefined ? 'GET' : 'POST',
      headers: { ...JSON_TYPE, authorization, ...headers },
      body: payload && JSON.stringify(payload),
    });
    return { status: response.status, answer: JSON.parse(await response.text()) };
  };
}
