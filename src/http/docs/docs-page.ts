const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/page.css">`;

/**
 * The page of the REST interface: what comes first, and below it Swagger UI. The script, the style and the documents have
 * addresses of their own, so that the page needs nothing that Content-Security-Policy would have to allow.
 */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
${HEAD}
<title>Account data import</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<header>
<p>Guides: <a href="/docs/guides/loading/">loading data</a>, <a href="/docs/guides/migrating/">a migration with files</a>, <a href="/docs/loader/">the loader</a>, <a href="/docs/guides/errors/">errors</a>, <a href="/docs/guides/proof/">proof</a>.</p>
<p>Documents: <a href="/docs/openapi.json">openapi.json</a> (REST), <a href="/docs/platform.json">platform.json</a> (the feed for the platform), <a href="/docs/schema.graphql">schema.graphql</a>.</p>
<p>To try operations, obtain a token as described below, choose Authorize, and enter the word <code>Token</code>, a space, and the
token. What you try is carried out; with <code>dry_run=true</code> nothing is stored.</p>
</header>
<noscript>What follows needs JavaScript; the documents do not.</noscript>
<main id="swagger-ui"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/page.js"></script>
</body>
</html>
`;

/** Another page of the documents. @param body HTML */
export function docsPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
${HEAD}
<title>${title}</title>
</head>
<body>
<header><p><a href="/docs/">Account data import</a></p></header>
<main class="guide">
${body}</main>
</body>
</html>
`;
}

/** The token stays in the memory of the page, and nothing is sent to another server. */
export const SCRIPT = `SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
});
`;

export const STYLE = `body { margin: 0; }
header, noscript, .guide { display: block; font-family: sans-serif; line-height: 1.5; margin: 0 auto; max-width: 1420px; padding: 10px 20px 0; }
.guide { padding-bottom: 60px; }
.guide p, .guide li { max-width: 52em; }
.guide pre { background: #f3f4f6; overflow-x: auto; padding: 10px; }
.guide table { border-collapse: collapse; display: block; overflow-x: auto; }
.guide th, .guide td { border: 1px solid #c5c9d0; padding: 4px 10px; text-align: left; vertical-align: top; }
`;
