import { readEnvironment, StartError } from './env.js';

const FORM = 'must be file:///folder or s3://bucket';

describe('the document store', () => {
  it.each([
    ...['file:///srv/documents', 'file:///', 'file:///srv/our%20documents%20%23%3F%25'],
    ...['s3://bucket', 's3://bucket/', 's3://bucket?endpoint=http://localhost:9000'],
    's3://bucket?endpoint=https://[::1]:9000/s3&region=eu-west-1',
  ])('may be %s (F4)', (text) => {
    expect(readEnvironment({ DOCUMENT_STORE: text }).DOCUMENT_STORE).toBe(text);
  });

  it.each([
    ...['http://bucket', 'file://relative', 's3://', 's3://key:secret/part@bucket'].map((text) => [
      text,
      FORM,
    ]),
    ...['ZZ', 'FF', '2Fb', '00', '0Ab'].map((code) => [`file:///tmp/a%${code}`, 'must name its folder']),
    ...['#', '?'].map((sign) => [`file:///tmp/a${sign}b`, 'must name its folder']),
    ['s3://bucket/folder?region=eu-west-1', 'names a bucket only'],
    ['s3://bucket?region=eu-west-1#here', 'names a bucket only'],
    ['s3://bucket?reqion=eu-west-1', 'accepts the parameters endpoint=… and region=… only'],
    ['s3://bucket?key:secret@', 'accepts the parameters endpoint=… and region=… only'],
    ['s3://bucket?endpoint=minio:9000', 'http://… or https://…'],
    ['s3://bucket?endpoint=http://[bad', 'http://… or https://…'],
    ['s3://bucket?endpoint=http://minio:99999', 'http://… or https://…'],
    ['s3://key:secret@bucket?region=eu-west-1', 'credentials belong in AWS_ACCESS_KEY_ID'],
    ['s3://bucket:9000?region=eu-west-1', 'host and port in endpoint=…'],
  ] as [string, string][])(
    'may not be %s: the start ends with a sentence without a secret (F4, section 6)',
    (text, reason) => {
      const start = (): unknown => readEnvironment({ DOCUMENT_STORE: text });
      expect(start).toThrow(StartError);
      expect(start).toThrow(/^DOCUMENT_STORE [^\n]*\.$/);
      expect(start).toThrow(reason);
      expect(start).not.toThrow('secret');
    },
  );
});
