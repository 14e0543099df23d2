/** The command cannot do what it was asked to, and its caller can change that: exit code 2. */
export class WrongUsage extends Error {}

/** A file of the folder cannot be read to its end: exit code 2. The message names the file. */
export class UnreadableInput extends Error {}

/** A file was changed while it was being read. */
export class ChangedInput extends UnreadableInput {}

/** What the service has answered cannot be: digests that are not those of what they are said to be of. */
export class ContradictoryAnswer extends Error {}
