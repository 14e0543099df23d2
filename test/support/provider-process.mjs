// An OpenID Connect provider as a process of its own. The argument is the address to lead back to. Its only page asks for the claims
// of the person who signs in, as JSON, and prompts for nothing else.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { text } from 'node:stream/consumers';
import { Provider } from 'oidc-provider';

const [redirectUri] = process.argv.slice(2);
const server = createServer();
await once(server.listen(0, '127.0.0.1'), 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
const people = new Map();

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'data-import',
      client_secret: 'the secret of the service',
      token_endpoint_auth_method: 'client_secret_post',
      redirect_uris: [redirectUri],
    },
  ],
  claims: { openid: ['sub'], profile: ['name', 'groups', 'org_id'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['a key that only this process knows'] },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => people.get(sub) }),
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope('openid profile');
    await grant.save();
    return grant;
  },
});
const answer = provider.callback();

server.on('request', async (request, response) => {
  if (!request.url.startsWith('/interaction/')) {
    answer(request, response);
  } else if (request.method === 'GET') {
    response
      .setHeader('content-type', 'text/html')
      .end(
        '<!doctype html><form method="post"><input name="person" aria-label="Person"><button>Go</button></form>',
      );
  } else {
    const claims = JSON.parse(parse(await text(request)).person);
    people.set(claims.sub, claims);
    await provider.interactionFinished(request, response, { login: { accountId: claims.sub } });
  }
});
process.stdout.write(`${issuer}\n`);
