import { type Checkpoint, MAIN_CHANNEL, textMessage } from "@switchyard/contracts";

const CREATED_AT = "2026-01-02T03:04:05.678Z";
const STARTED_AT = "2026-01-01T00:00:00.000Z";

/** Returns the checkpoint of a run after some steps, each of which adds a list item and a message. */
export function sampleCheckpoint(execId: string, steps: number, changes: Partial<Checkpoint> = {}): Checkpoint {
  const numbers = Array.from({ length: steps }, (_, index) => index + 1);
  return {
    execId,
    step: `step ${steps}`,
    number: steps,
    iteration: steps,
    board: {
      vars: { steps, list: numbers.map((step) => ({ step })) },
      channels: { [MAIN_CHANNEL]: numbers.map((step) => textMessage("user", `message ${step}`)) },
    },
    payload: { next: steps + 1 },
    attributes: { "agent.id": "sample" },
    timestamp: CREATED_AT,
    originalStartedAt: STARTED_AT,
    specVersion: "1",
    ...changes,
  };
}

/**
 * Returns plain data that a simple JSON encoding would lose or confuse: dates, bytes, unusual names, invalid UTF-16,
 * and texts that look like encoded values.
 */
export function oddData(): Record<string, unknown> {
  return {
    date: new Date(1_700_000_000_123),
    early: new Date(-1),
    bytes: Uint8Array.of(0, 1, 127, 128, 255),
    none: null,
    empty: ["", {}, [], new Uint8Array()],
    numbers: [0, -1, 1.5, 1e-7, 1e21, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE, 0.1 + 0.2],
    texts: ['\u0000\u001f\n\r\t"\\', "\u2028\u2029", "\ud83d\ude00", "lone \ud800 and \udfff", "a".repeat(100_000)],
    names: JSON.parse('{"__proto__": {"n": 1}, "": 2, "constructor": 3, "toJSON": 4, "length": 5, "a.b": 6}'),
    tags: [{ $date: "2026-01-01" }, { $bytes: "AAEC" }, { type: "Buffer", data: [1] }, { $: 1 }, { "@type": "Date" }],
    tagLike: ["$date:1", "\u0000date", "data:;base64,AA==", "[object Date]", "2026-01-01T00:00:00.000Z"],
    check: "1:deadbeef",
    checksum: "0",
  };
}
