import type { PayloadClass } from './payload-shape.js';
import type { FieldRule } from './rules.js';

/** How fields of an answer differ from those of the input that it repeats; a field that the input lacks comes last. */
export type EchoChanges = Readonly<Record<string, FieldRule['schema']>>;

/** A class whose published schema is that of an input class, but for some fields. */
export interface Echo {
  readonly type: PayloadClass;
  readonly input: PayloadClass;
  readonly changes: EchoChanges;
}

const ECHOES: Echo[] = [];

/** Every class that repeats an input, so that its fields can be published (published-inputs.ts). */
export function echoes(): readonly Echo[] {
  return ECHOES;
}

/** Describe an answer that repeats what was sent by the rules of the input, so that no field is described twice. */
export function EchoOf(input: PayloadClass, changes: EchoChanges): (target: PayloadClass) => void {
  return (type) => {
    ECHOES.push({ type, input, changes });
  };
}
