/** The message about a loader and a service whose versions differ. */
export interface Misfit {
  readonly sentence: string;
  /** Whether nothing may be sent. */
  readonly isFinal: boolean;
}

/**
 * Compare the versions of loader and service. A different major version may mean a different interface and ends the run before
 * anything is sent. A different minor version is only reported. The patch version is ignored.
 *
 * @param service the version in its latest answer; undefined for a service that does not state it
 * @returns undefined when they fit
 * Source: choice L15.
 */
export function misfitOf(own: string, service: string | undefined, baseUrl: string): Misfit | undefined {
  const [ours, theirs] = [own, service ?? ''].map((version) => /^(\d+)\.(\d+)\.\d/.exec(version));
  if (!ours || !theirs || (ours[1] === theirs[1] && ours[2] === theirs[2])) return undefined;
  const isFinal = ours[1] !== theirs[1];
  const place = `${baseUrl.replace(/\/+$/, '')}/docs/loader/`;
  const means = isFinal
    ? 'They are not compatible, so nothing is sent.'
    : 'They are compatible, but the older one lacks what is new in the other.';
  return {
    sentence: `This loader has version ${own}, and the service has version ${service}. ${means} The loader of the service is at ${place}.`,
    isFinal,
  };
}
