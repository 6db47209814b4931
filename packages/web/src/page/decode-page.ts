import { Buffer } from "node:buffer";

/** Decodes text by the name of its encoding. `undefined` for an unknown encoding. */
function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a page. The encoding is determined by the byte order mark, the header, or the meta element. Default: UTF-8.
 */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const [first, second] = bytes;
  const mark = first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "";
  const header = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? "";
  const start = Buffer.from(bytes.subarray(0, 2_048)).toString("latin1");
  const own = /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(start)?.[1] ?? "";
  for (const label of [mark, header, own]) {
    const text = label === "" ? undefined : decode(bytes, label);
    if (text !== undefined) return text;
  }
  return new TextDecoder().decode(bytes);
}
