let segmenter: Intl.Segmenter | undefined;

/** Splits a text into graphemes: what a user perceives as one character. */
export function graphemesOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
