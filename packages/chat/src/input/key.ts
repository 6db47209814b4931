/** A pressed key. */
export interface Key {
  /** Name of the key, such as `return`, `left` or `a`. `undefined` for most characters that are not letters or digits. */
  readonly name: string | undefined;
  /** Characters that the terminal sent. */
  readonly text: string;
  /** Whether Ctrl was held. */
  readonly ctrl: boolean;
  /** Whether Alt was held. */
  readonly meta: boolean;
}
