/** SQL for a text of which a list shows the beginning, and how much more there is. */
export function shortened(text: string, charactersMax: number): string {
  return `CASE WHEN char_length(${text}) > ${charactersMax}
               THEN left(${text}, ${charactersMax}) || '… and ' || to_char(char_length(${text}) - ${charactersMax}, 'FM999,999,999') || ' more characters'
               ELSE ${text} END`;
}

/** Members of more bytes than these, as text, are one text. */
const MEMBERS_BYTES_MAX = 4_096;

/** SQL for an object whose members are not known beforehand: as it is, or the beginning of a large one as a text `beginning`. */
export function shortenedMembers(object: string): string {
  return `CASE WHEN octet_length(${object}::text) > ${MEMBERS_BYTES_MAX}
               THEN jsonb_build_object('beginning', ${shortened(`${object}::text`, 1_000)})
               ELSE ${object}::jsonb END`;
}
