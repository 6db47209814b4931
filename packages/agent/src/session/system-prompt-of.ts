/** Computes a value on first use and keeps it. */
function once<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

/** The system prompt of a session: the one it began with, else made on first use. */
export function systemPromptOf(kept: string | undefined, build: () => Promise<string>): () => Promise<string> {
  return kept === undefined ? once(build) : () => Promise.resolve(kept);
}
