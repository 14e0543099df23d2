/** The path of a Chromium that is installed; undefined when there is none. */
export function findChromium(): string | undefined;
