/** The page needs a session. */
export class SignInRequired extends Error {}

/** The page does not exist, or the signed-in user may not see it: the answer does not tell which (choice C3). */
export class PageNotFound extends Error {}

/** The signed-in user may see the page, but not do what was requested (choice C3). */
export class NotAllowed extends Error {}
