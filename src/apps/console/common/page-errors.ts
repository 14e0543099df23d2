/** The page needs a session. */
export class SignInRequired extends Error {}

/** The page does not exist, or must not be seen by the viewer: nobody can tell which (choice C3). */
export class PageNotFound extends Error {}

/** A viewer may see the page, but not do what was asked for (choice C3). */
export class NotAllowed extends Error {}
