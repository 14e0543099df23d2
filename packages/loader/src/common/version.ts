/** The version of this package. It equals the version of its service; a test compares it with both package.json files. */
export const VERSION = '1.0.0';
