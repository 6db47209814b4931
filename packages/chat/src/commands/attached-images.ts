/**
 * Matches a word that may name an image: a path after `@`, or an absolute path. Terminals insert an absolute path when
 * a file is dropped on them.
 */
const IMAGE = /(?:^|(?<=\s))(?:@"([^"\n]+)"|@(\S+)|"(\/[^"\n]+)"|'(\/[^'\n]+)'|(\/(?:\\ |\S)+))/g;
const EXTENSION = /\.(?:png|jpe?g|gif|webp)$/i;

/** Returns the paths of the images that a message names: `@shot.png`, or an absolute path. */
export function imagePathsIn(message: string): string[] {
  const paths = [...message.matchAll(IMAGE)].map((match) => {
    const [, ...forms] = match;
    return (forms.find((form) => form !== undefined) ?? "").replaceAll("\\ ", " ");
  });
  return [...new Set(paths.filter((path) => EXTENSION.test(path)))];
}
