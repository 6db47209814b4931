/**
 * Invisible characters that can hide or reorder text: default ignorable code points, text direction marks, line and
 * paragraph separators, and the blank Braille pattern. Joiners and selectors are allowed inside emoji and in scripts
 * that use them.
 */
const HIDDEN =
  /[\u2028-\u202e\u2066-\u2069\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}|(?:\u200c|\u200d)(?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic}))(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}](?:\u200c|\u200d))|(?:\ufe0e|\ufe0f)(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9](?:\ufe0e|\ufe0f))|[\u{e0100}-\u{e01ef}](?<!\p{Script=Han}[\u{e0100}-\u{e01ef}])/gu;

/**
 * Replaces each hidden character with the result of `show` for its code point, so that readers can see it. Control
 * characters are not replaced.
 */
export function replaceHiddenCharacters(text: string, show: (codePoint: number) => string): string {
  return text.replace(HIDDEN, (character) => show(character.codePointAt(0) ?? 0));
}
