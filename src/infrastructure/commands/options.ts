import { Option, type OptionMetadata } from 'nest-commander';

/** An option of a command. `name` is the member of the options that has its value, if it is not the flag's. */
interface CommandOption extends Pick<OptionMetadata, 'required' | 'defaultValue' | 'choices' | 'name'> {
  readonly description: string;
  /**
   * Reads the text of the option; without it, the text is the value. Commander turns null into an empty text.
   *
   * @param earlier the value of the same option before, if it was given before
   * @throws InvalidOptionError
   */
  readonly parse?: (text: string, earlier: unknown) => unknown;
}

/**
 * The options of a command by their flags. nest-commander's `@Option` wants a method for each; most options have nothing to do in one. An
 * option without a value is true if it is given.
 *
 * @param options a text is the description
 */
export function Options(
  options: Readonly<Record<string, string | CommandOption>>,
): (command: { readonly prototype: object }) => void {
  return ({ prototype }) => {
    for (const [flags, about] of Object.entries(options)) {
      const { parse, ...option } =
        typeof about === 'string' ? { description: about, parse: undefined } : about;
      const value = (text: string, earlier: unknown): unknown => {
        if (!flags.includes('<')) return true;
        return parse ? parse(text, earlier) : text;
      };
      Object.defineProperty(prototype, flags, { value });
      Option({ flags, ...option })(prototype, flags, { value });
    }
  };
}
