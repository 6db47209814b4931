/** Characters of the paths of a portion. */
const MAX_CHARS = 64 * 1024;

/** Paths in portions of so many at most, which fit the arguments of a program. */
export function* toBatches(paths: readonly string[], most: number): Generator<readonly string[]> {
  let batch: string[] = [];
  let chars = 0;
  for (const path of paths) {
    if (batch.length >= most || (batch.length > 0 && chars + path.length > MAX_CHARS)) {
      yield batch;
      batch = [];
      chars = 0;
    }
    batch.push(path);
    chars += path.length;
  }
  if (batch.length > 0) yield batch;
}
