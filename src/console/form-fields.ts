/** The fields of a form by their names, as they were sent; of a name that is sent several times the last value counts. */
export type FormFields = Readonly<Record<string, string | undefined>>;
