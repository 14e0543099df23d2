/** The path of an installed Chromium; undefined when there is none. */
export function findChromium(): string | undefined;
