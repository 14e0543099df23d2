/** The command cannot do what it was asked to, and its caller can change that: exit code 2. */
export class WrongUsage extends Error {}

/** A file of the folder cannot be read to its end, or was changed meanwhile: exit code 2. The message names the file. */
export class UnreadableInput extends Error {}

/** What the service has answered cannot be: digests that are not those of what they are said to be of. */
export class ContradictoryAnswer extends Error {}
