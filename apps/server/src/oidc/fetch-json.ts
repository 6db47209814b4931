/** Time limit for one document, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Maximum size of a document, in decoded bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a JSON document from a URL. Follows no redirects. Rejects with an `Error` if the response has another status
 * than 200, has more than 256 KiB, takes longer than 5 seconds, or is not JSON.
 */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/json", "accept-encoding": "identity" },
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`${url} responded with status ${response.status}.`);
  }
  const parsed: unknown = JSON.parse(await readText(response, url));
  return parsed;
}

/** Reads a response body. Counts decoded bytes, because a small compressed body can become large. */
async function readText({ body }: Response, url: string): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  let text = "";
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} sent more than ${MAX_BYTES} bytes.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
