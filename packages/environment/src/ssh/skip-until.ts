/** Returns the rest of a stream after a mark (a unique text). All bytes up to and including the mark are dropped. */
export function skipUntil(mark: string, source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const wanted = Buffer.from(mark);
  const reader = source.getReader();
  // The last bytes of a chunk are buffered, because the mark may be split between two chunks.
  let tail: Buffer | undefined = Buffer.alloc(0);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const rest: Uint8Array = tail === undefined ? value : afterMark(Buffer.concat([tail, value]));
          if (rest.length > 0) return controller.enqueue(rest);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );

  function afterMark(bytes: Buffer): Uint8Array {
    const at = bytes.indexOf(wanted);
    tail = at < 0 ? bytes.subarray(Math.max(0, bytes.length - wanted.length + 1)) : undefined;
    return at < 0 ? new Uint8Array() : new Uint8Array(bytes.subarray(at + wanted.length));
  }
}
