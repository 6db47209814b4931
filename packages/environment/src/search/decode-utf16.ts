const encoder = new TextEncoder();

/** Returns the encoding of a file that starts with a UTF-16 byte order mark. `undefined` for other files. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}

/** Yields a file as UTF-8: converted if it starts with a UTF-16 byte order mark, otherwise unchanged. */
export async function* decodeUtf16(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let front: Uint8Array | undefined = new Uint8Array();
  for await (const piece of content) {
    let bytes = piece;
    if (front !== undefined) {
      bytes = front.length === 0 ? piece : Uint8Array.from([...front, ...piece]);
      front = bytes.length < 2 ? bytes.slice() : undefined;
      if (front !== undefined) continue;
      const encoding = utf16Of(bytes);
      decoder = encoding === undefined ? undefined : new TextDecoder(encoding);
    }
    yield decoder === undefined ? bytes : encoder.encode(decoder.decode(bytes, { stream: true }));
  }
  if (front !== undefined && front.length > 0) yield front;
  const rest = decoder?.decode() ?? "";
  if (rest !== "") yield encoder.encode(rest);
}
