import { refusedText, whyNotAnswered } from './answer.js';

describe('the message about a service', () => {
  it.each([
    [{ status: 503 }, 'answers 503'],
    [{ status: 0 }, 'does not answer'],
    [{ status: 0, systemCode: 'ECONNREFUSED' }, 'accepts no connection at its address (ECONNREFUSED)'],
    [{ status: 0, systemCode: 'ENOTFOUND' }, 'has a name that this machine does not know (ENOTFOUND)'],
    [
      { status: 400, systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      'has a certificate that is not trusted; NODE_EXTRA_CA_CERTS names a file with the authority of yours (DEPTH_ZERO_SELF_SIGNED_CERT)',
    ],
  ])('that does not decide: %j (L8)', (answer, expected) => {
    expect(whyNotAnswered({ body: undefined, ...answer })).toBe(expected);
  });

  it.each([
    [
      { status: 400, systemCode: 'EPROTO' },
      { code: 'connection_failed', detail: 'EPROTO.' },
      'The service does not answer with TLS; should the base URL begin with http://? (EPROTO).',
    ],
    [
      { status: 401 },
      { code: 'api_key_refused', detail: 'The service does not accept the API key: It is revoked.' },
      'The service does not accept the API key: It is revoked. The key is from DATA_IMPORT_API_KEY, otherwise from --api-key-file.',
    ],
    [
      { status: 401 },
      { code: '', detail: '' },
      'The service rejects the API key: it answers 401. The key is from DATA_IMPORT_API_KEY, otherwise from --api-key-file.',
    ],
    [
      { status: 200 },
      { code: 'unexpected_answer', detail: 'The answer 200 (text/html) is not one of the service.' },
      'The answer 200 (text/html) is not one of the service. Is the base URL right?',
    ],
  ])('that refuses everything: %j (L8)', (answer, error, expected) => {
    expect(refusedText({ body: undefined, ...answer }, error)).toBe(expected);
  });
});
