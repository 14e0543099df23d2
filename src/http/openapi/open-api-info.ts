import { readFileSync } from 'node:fs';
import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';
import { ERRORS_MAX } from '../../common/errors.js';
import type { Environment } from '../../config/settings.js';

/** Name of the scheme in the document; the header itself is specification 5 (3). */
const SECURITY_SCHEME = 'Token';

const TAGS = {
  'account imports': 'How far the import of accounts is. Accounts are staged and imported by the operator.',
  notes: 'Notes of an imported account.',
  transactions: 'Financial transactions of an imported account.',
  'historical statements': 'Statements that the former supplier issued for an imported account.',
  'payment instructions':
    'Cards and mandates that a payment vendor holds for the customer of an imported account.',
};

/**
 * What the description of the REST interface says before its first operation.
 *
 * @param defaults the settings as they are when an operator sets none
 */
export function heading(defaults: Environment): Omit<OpenAPIObject, 'paths'> {
  const about = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
    'description' | 'version' | 'license',
    string
  >;
  const builder = new DocumentBuilder()
    .setTitle('Account data import')
    .setDescription(`${about.description}.\n\n${guide(defaults)}`)
    .setVersion(about.version)
    .setLicense(about.license, `https://spdx.org/licenses/${about.license}.html`)
    .addServer('{base_url}', 'Where the operator runs the service.', {
      base_url: {
        default: `http://${defaults.HOST}:${defaults.PORT}`,
        description: 'The operator tells it; without settings the service listens on the machine itself.',
      },
    })
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          'The word `Token`, a space, and the token: `Authorization: Token eyJ…`. `Bearer eyJ…` and the bare token are taken too. A token is obtained with an API key; see the description of the interface.',
      },
      SECURITY_SCHEME,
    )
    .addSecurityRequirements(SECURITY_SCHEME);
  for (const [tag, description] of Object.entries(TAGS)) builder.addTag(tag, description);
  return builder.build();
}

function guide(defaults: Environment): string {
  const { TOKEN_TTL_SECONDS, REFRESH_TOKEN_TTL_SECONDS, BODY_LIMIT_BYTES, ITEMS_MAX } = defaults;
  const tokenMinutes = TOKEN_TTL_SECONDS / 60;
  const refreshDays = REFRESH_TOKEN_TTL_SECONDS / 86_400;
  const number = (value: number): string => value.toLocaleString('en');
  return `
## A token

The operator gives your organisation an API key, once. Exchange it at the GraphQL interface of the same service, \`POST /v1/graphql/\`, with the mutation \`obtainServiceToken\`:

\`\`\`json
{"query": "mutation Obtain($input: ObtainServiceTokenInput!) { obtainServiceToken(input: $input) { token refreshToken refreshExpiresIn } }",
 "variables": {"input": {"apiKey": "adi_live_…"}}}
\`\`\`

The token is in the answer under \`data.obtainServiceToken.token\`. It is good for ${tokenMinutes} minutes and the refresh token for ${refreshDays} days, unless the operator has set other times. Send \`{"refreshToken": "…"}\` in place of the key to obtain further tokens. At \`token_expired\` or \`token_revoked\` obtain a new one and send the request again. Many failed token calls from one address are answered \`THROTTLED\`: do not retry in a loop with a key that is refused.

## Requests

- Bodies are \`application/json\` in UTF-8, up to ${number(BODY_LIMIT_BYTES / 1_048_576)} MiB and ${number(ITEMS_MAX)} notes, transactions or statements, unless the operator has set other limits.
- Fields and query parameters that are not documented here are refused (\`unexpected_field\`), and so is \`null\`: leave out what you do not have.
- Numbers are JSON numbers and kept exactly: one of more than 15 significant digits is refused, never rounded.
- Lengths count Unicode code points. Texts with a NUL character or a lone surrogate are refused (\`invalid\`).
- Booleans in a query are \`true\` and \`false\` in any letter case, \`1\` and \`0\`.
- The trailing slash of an address may be left out.

## Answers

Every answer carries an \`X-Request-Id\`: your own if you send one of 1 to 128 of \`A-Z a-z 0-9 . _ -\`, else a new one. With it the operator finds the request in the log. Moments are in UTC and whole seconds. Further fields may be added to answers: pass over those that you do not know.

## Errors

Every error is JSON with \`detail\` (for people), \`code\` (what kind of failure) and \`errors\`: everything that is wrong with the input, each with a \`code\` and with \`attr\`, the path to it. Decide by \`code\` and \`attr\` only. After ${number(ERRORS_MAX)} errors the list ends with \`too_many_errors\`.

| Answer | What to do |
|---|---|
| 400 | Mend what \`errors\` names; the same request fails again |
| 401 | Obtain a token, send again |
| 404 | Wait until the account is imported, or mend the supplier's code and the account's number |
| 413 | Send fewer items at a time |
| 429, 503 | Wait for \`Retry-After\` seconds, send again |
| 500, no answer, a broken connection | Send again, a little later each time |

Sending again means the same bytes, at any time: what was stored is recognised, and nothing is stored twice. The one exception is \`check_previously_added=false\` of transactions, which asks to add them without looking: leave it away when you send again.`.trim();
}
