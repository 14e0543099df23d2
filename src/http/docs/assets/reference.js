/** What people paste: the token alone, with the name of a scheme, or as the whole header. */
const PASTED = /^["'\s]*(?:authorization\s*:\s*)?(?:(?:token|bearer|jwt)\s+)?([^"'\s]*)["'\s]*$/i;

/** In place of a component of Swagger UI. */
const nothing = () => () => null;

/** The token stays in the memory of the page, and nothing is sent to another server. */
SwaggerUIBundle({
  url: document.getElementById('swagger-ui').dataset.document,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  // There is one server, and a button within another one cannot be reached by everyone.
  plugins: [{ wrapComponents: { ServersContainer: nothing, CopyToClipboardBtn: nothing } }],
  // The page has its main part already.
  onComplete: () => document.getElementById('operations').setAttribute('role', 'none'),
  requestInterceptor: (request) => {
    const { Authorization } = request.headers;
    if (Authorization !== undefined)
      request.headers.Authorization = Authorization.replace(PASTED, 'Token $1');
    return request;
  },
});

// Swagger UI has a dark look by a class; paper is light.
const dark = matchMedia('screen and (prefers-color-scheme: dark)');
const adapt = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', adapt);
adapt();
