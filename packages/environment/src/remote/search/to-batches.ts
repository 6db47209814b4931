/** Maximum total length of the paths in a batch, in characters. */
const MAX_CHARS = 64 * 1024;

/** Splits paths into batches of at most `most` paths, each short enough to be passed as program arguments. */
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
