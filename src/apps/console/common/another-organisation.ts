/** Shown in place of what belongs to another organisation (choices A8, C3). */
export const ANOTHER_ORGANISATION = 'another organisation';
