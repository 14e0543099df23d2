/** Version of this package, which is that of the service that it belongs to; a test compares it with both package.json. */
export const VERSION = '0.1.0';
