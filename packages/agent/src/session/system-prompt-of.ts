/** Computes a value on first use and keeps it. */
function once<T>(compute: () => T): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

let lastPrompt = "";

/** The same text for all sessions that begin alike: kilobytes for each of many would be most of what it holds. */
async function shared(building: Promise<string>): Promise<string> {
  const prompt = await building;
  if (prompt !== lastPrompt) lastPrompt = prompt;
  return lastPrompt;
}

/** The system prompt of a session: the one it began with, else made on first use. */
export function systemPromptOf(kept: string | undefined, build: () => Promise<string>): () => Promise<string> {
  return kept === undefined ? once(() => shared(build())) : () => Promise.resolve(kept);
}
