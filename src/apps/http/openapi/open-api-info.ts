import { readFileSync } from 'node:fs';
import { DocumentBuilder, type OpenAPIObject } from '@nestjs/swagger';
import { ERRORS_MAX } from '../../../infrastructure/errors/errors.js';
import type { Environment } from '../../../infrastructure/config/settings.js';
import { projectFile } from '../../../infrastructure/config/project-file.js';

/** The scheme's name in the document. The header itself is defined in specification 5 (3). */
const SECURITY_SCHEME = 'Token';

const TAGS = {
  'account imports': 'The import status of accounts. The operator stages and imports accounts.',
  notes: 'Notes of an imported account.',
  transactions: 'Financial transactions of an imported account.',
  'historical statements': 'Statements that the previous supplier issued for an imported account.',
  'payment instructions':
    'Cards and mandates that a payment vendor holds for the customer of an imported account.',
  'account contents':
    'What imported accounts hold, as digests that can be computed from what was sent. Additions to the specification.',
};

/**
 * The head of the suppliers' OpenAPI document, which comes before its first operation.
 *
 * @param defaults the default settings
 */
export function heading(defaults: Environment): Omit<OpenAPIObject, 'paths'> {
  return headingOf(defaults, 'Account data import', guide(defaults), TAGS);
}

/** The head of the platform's OpenAPI document. */
export function platformHeading(defaults: Environment): Omit<OpenAPIObject, 'paths'> {
  return headingOf(defaults, 'Account data import: the feed for the platform', PLATFORM_GUIDE, {
    feed: 'What was added, undone and erased, in one order without a gap.',
  });
}

function headingOf(
  defaults: Environment,
  title: string,
  description: string,
  tags: Readonly<Record<string, string>>,
): Omit<OpenAPIObject, 'paths'> {
  const about = JSON.parse(readFileSync(projectFile('package.json'), 'utf8')) as Record<
    'description' | 'version' | 'license',
    string
  >;
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle(title)
    .setDescription(`${about.description}.\n\n${description}`)
    .setVersion(about.version)
    .setLicense(about.license, `https://spdx.org/licenses/${about.license}.html`)
    .addServer('{base_url}', 'Where the operator runs the service.', {
      base_url: {
        default: `http://${defaults.HOST}:${defaults.PORT}`,
        description: 'Given by the operator. By default the service listens on the loopback interface.',
      },
    })
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description:
          'The word `Token`, a space, and the token: `Authorization: Token eyJ…`. `Bearer eyJ…`, `JWT eyJ…` and the token alone are accepted too. A token is obtained with an API key; see the introduction of the API reference.',
      },
      SECURITY_SCHEME,
    )
    .addSecurityRequirements(SECURITY_SCHEME);
  for (const [tag, description] of Object.entries(tags)) builder.addTag(tag, description);
  return builder.build();
}

const PLATFORM_GUIDE = `For the platform that takes the customers over. A token is obtained with the GraphQL mutation \`obtainServiceToken\` and a platform
key, which is for this API only; keys and tokens of suppliers are not accepted here.

Read the changes of a supplier from the first one on. Store the \`cursor\` of each answer together with the changes that you processed, and send
it with the next request: the first load and later reads are the same. Numbers rise by one without a gap. A change that was read stays the same,
unless it is undone or erased: then only its number and type are left. A cursor of another epoch is answered with 409 \`feed_restarted\`; the
member \`cursor\` of the answer says where to continue.`;

function guide(defaults: Environment): string {
  const { TOKEN_TTL_SECONDS, REFRESH_TOKEN_TTL_SECONDS, BODY_LIMIT_BYTES, ITEMS_MAX } = defaults;
  const tokenMinutes = TOKEN_TTL_SECONDS / 60;
  const refreshDays = REFRESH_TOKEN_TTL_SECONDS / 86_400;
  const number = (value: number): string => value.toLocaleString('en');
  return `
## A token

The operator issues an API key to your organisation. Exchange it at the GraphQL API of the same service, \`POST /v1/graphql/\`, with the mutation \`obtainServiceToken\`:

\`\`\`json
{"query": "mutation Obtain($input: ObtainServiceTokenInput!) { obtainServiceToken(input: $input) { token refreshToken refreshExpiresIn } }",
 "variables": {"input": {"apiKey": "adi_live_…"}}}
\`\`\`

The answer contains the token under \`data.obtainServiceToken.token\`. It is valid for ${tokenMinutes} minutes and the refresh token for ${refreshDays} days, unless the operator has set other lifetimes. Send \`{"refreshToken": "…"}\` instead of the key to obtain further tokens. On \`token_expired\` or \`token_revoked\` obtain a new token and send the request again. Many failed token calls from one address are answered with \`THROTTLED\`: do not retry in a loop with a key that is rejected.

## Requests

- Bodies are \`application/json\` in UTF-8, up to ${number(BODY_LIMIT_BYTES / 1_048_576)} MiB and ${number(ITEMS_MAX)} notes, transactions or statements, unless the operator has set other limits.
- Fields and query parameters that are not documented here are rejected (\`unexpected_field\`), and so is \`null\`: omit a field that has no value.
- Numbers are JSON numbers and are stored exactly: a number with more than 15 significant digits is rejected, never rounded.
- Lengths count Unicode code points. Texts with a NUL character or a lone surrogate are rejected (\`invalid\`).
- Booleans in a query are \`true\` and \`false\` in any letter case, \`1\` and \`0\`.
- The trailing slash of a path may be omitted.

## Answers

Every answer has an \`X-Request-Id\` header: your own id if you send one of 1 to 128 of \`A-Z a-z 0-9 . _ -\`, otherwise a generated one. The operator finds the request in the log by it. \`X-Data-Import-Version\` is the version of the service. Date-times are in UTC and whole seconds. Further fields may be added to answers: ignore those that you do not know.

## Errors

Every error is JSON with \`detail\` (for people), \`code\` (the kind of failure) and \`errors\`, which lists every error in the input with its own \`code\` and \`attr\`, the path to the invalid value. Base decisions on \`code\` and \`attr\` only. After ${number(ERRORS_MAX)} errors the list ends with \`too_many_errors\`.

| Answer | What to do |
|---|---|
| 400 | Correct what \`errors\` lists; the same request fails again |
| 401 | Obtain a token and send the request again |
| 404 | Wait until the account is imported, or correct the supplier's code or the account's number |
| 413 | Send fewer items in one request |
| 429, 503 | Wait for \`Retry-After\` seconds and send the request again |
| 500, no answer, a lost connection | Send the request again, with an increasing delay |

Sending a request again is safe at any time if it is the same: what is already stored is recognised, and nothing is stored twice. The exception is \`check_previously_added=false\` of transactions, which adds them without that check: omit it when a request is sent again.`.trim();
}
