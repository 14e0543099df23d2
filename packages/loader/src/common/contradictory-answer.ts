/** What the service has answered cannot be: digests that are not those of what they are said to be of. */
export class ContradictoryAnswer extends Error {}
