/** SQL for the text as lists show it: its beginning, and the number of further characters. */
export function shortened(text: string, charactersMax: number): string {
  return `CASE WHEN char_length(${text}) > ${charactersMax}
               THEN left(${text}, ${charactersMax}) || '… and ' || to_char(char_length(${text}) - ${charactersMax}, 'FM999,999,999') || ' more characters'
               ELSE ${text} END`;
}

/** If the members take more bytes than this as text, they are shown as one text. */
const MEMBERS_BYTES_MAX = 4_096;

/** SQL for an object with arbitrary members: unchanged, or for a large one an object with its first characters as `beginning`. */
export function shortenedMembers(object: string): string {
  return `CASE WHEN octet_length(${object}::text) > ${MEMBERS_BYTES_MAX}
               THEN jsonb_build_object('beginning', ${shortened(`${object}::text`, 1_000)})
               ELSE ${object}::jsonb END`;
}
