/**
 * Characters that show nothing on their own and can hide or reorder text: default ignorable code points, marks that
 * change the direction of text, line and paragraph separators, and the blank Braille pattern. Joiners and selectors
 * stay where they belong: inside of an emoji, and in scripts that are written with them.
 */
const HIDDEN =
  /[\u2028-\u202e\u2066-\u2069\u2800]|(?!\u200c|\u200d|\ufe0e|\ufe0f|[\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}|(?:\u200c|\u200d)(?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic}))(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}](?:\u200c|\u200d))|(?:\ufe0e|\ufe0f)(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}#*0-9](?:\ufe0e|\ufe0f))|[\u{e0100}-\u{e01ef}](?<!\p{Script=Han}[\u{e0100}-\u{e01ef}])/gu;

/**
 * Replaces each hidden character by what `show` returns for its code point, so that readers of a log, a terminal or a
 * page see that it is there. Control characters are not replaced.
 */
export function replaceHiddenCharacters(text: string, show: (codePoint: number) => string): string {
  return text.replace(HIDDEN, (character) => show(character.codePointAt(0) ?? 0));
}
