import type { HostileFault, PlannedResponse } from "./hostile-fault.ts";
import type { ModelApi } from "./model-api.ts";
import type { FramePart, TokenCount, WireFrame } from "./response-content.ts";
import { between, type Random, seededRandom } from "./seeded-random.ts";
import { wireError, wireErrorFrame } from "./wire-response.ts";

const OVERLOADED = "The provider is overloaded.";

/** Range of a stream event in the bytes of a response. */
interface FrameRange {
  readonly part: FramePart;
  readonly start: number;
  readonly end: number;
  /** Offset from which on a client can read the event's data. In a stream, this is the end of the event's line. */
  readonly readableAt: number;
  readonly usage: TokenCount | undefined;
}

/** Bytes of a response that are sent, and the chunks in which they are sent. */
export interface SentBytes {
  /** Length of the whole response, in bytes. */
  readonly length: number;
  /** Bytes that are sent, in the chunks in which they are written. */
  readonly chunks: readonly Buffer[];
  /** Usage reports in the sent bytes, in order. Each report replaces the previous report. */
  readonly usages: readonly TokenCount[];
  /** True if the whole response is sent. */
  readonly isComplete: boolean;
  /** True if everything except the end is sent, which some clients accept as complete. */
  readonly hasContent: boolean;
}

/** Inserts an event into a stream, after the given fraction of the other events and before the end of the response. */
function insertAt(frames: readonly WireFrame[], share: number, frame: WireFrame): readonly WireFrame[] {
  const content = frames.filter(({ part }) => part !== "end").length;
  return [...frames.slice(0, Math.floor(share * content)), frame];
}

function framesSent(
  frames: readonly WireFrame[],
  { fault, oddities }: PlannedResponse,
  api: ModelApi,
): readonly WireFrame[] {
  if (fault?.kind === "error_event") return insertAt(frames, fault.share, wireErrorFrame(api, OVERLOADED));
  if (fault?.kind === "malformed") {
    const broken = frames[Math.floor(fault.share * frames.filter(({ part }) => part !== "end").length)] ?? frames[0];
    const data = broken?.data.slice(0, -Math.max(1, Math.ceil(broken.data.length / 2)));
    return insertAt(frames, fault.share, { part: "text", event: broken?.event, data: `${data}` });
  }
  if (!oddities.includes("duplicates")) return frames;
  return frames.flatMap((frame) => (frame.isRepeatable === true ? [frame, frame] : [frame]));
}

/** Returns the body of a complete response, after applying its fault. */
function bodySent(frames: readonly WireFrame[], { fault }: PlannedResponse, api: ModelApi): readonly WireFrame[] {
  if (fault?.kind === "error_event") return [{ part: "end", data: JSON.stringify(wireError(api, 503, OVERLOADED)) }];
  if (fault?.kind !== "malformed") return frames;
  return frames.map(({ part, data }) => ({ part, data: data.slice(0, Math.ceil(data.length / 2)) }));
}

function textOf({ event, data }: WireFrame, lineEnd: string, comment: string): string {
  const name = event === undefined ? "" : `event: ${event}${lineEnd}`;
  return `${comment}${name}data: ${data}${lineEnd}${lineEnd}`;
}

/**
 * Returns the offset at which a fault stops the response. `undefined` if the fault does not stop it, or stops it before
 * the body.
 */
function cutOf(fault: HostileFault | undefined, ranges: readonly FrameRange[], length: number): number | undefined {
  if (fault?.kind !== "break" && fault?.kind !== "stall") return undefined;
  const { at, share } = fault;
  if (at === "request" || at === "headers") return undefined;
  const within = ranges.filter(({ part }) => part === at);
  const start = within[0]?.start ?? 0;
  const end = within.at(-1)?.end ?? length;
  return Math.min(length - 1, start + Math.floor(share * (end - start)));
}

function cutBytes(bytes: Buffer, ends: readonly number[]): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    if (end <= start || start >= bytes.length) continue;
    chunks.push(bytes.subarray(start, end));
    start = Math.min(end, bytes.length);
  }
  return chunks;
}

/** Returns random offsets at which chunks end. The offsets may be within characters and lines. */
function oddEnds(random: Random, length: number): readonly number[] {
  const ends: number[] = [];
  for (let end = between(random, 1, 40); end < length; end += between(random, 1, 40)) ends.push(end);
  return ends;
}

/** Returns the bytes of a response, up to the position at which its fault stops it. */
export function sentBytes(
  frames: readonly WireFrame[],
  planned: PlannedResponse,
  { api, isStreamed }: { readonly api: ModelApi; readonly isStreamed: boolean },
): SentBytes {
  const { fault, oddities } = planned;
  const lineEnd = oddities.includes("crlf") ? "\r\n" : "\n";
  const comment = oddities.includes("comments") ? `: keep-alive${lineEnd}${lineEnd}` : "";
  const ranges: FrameRange[] = [];
  const parts: Buffer[] = [];
  let length = 0;
  for (const frame of (isStreamed ? framesSent : bodySent)(frames, planned, api)) {
    const bytes = Buffer.from(isStreamed ? textOf(frame, lineEnd, comment) : frame.data);
    const end = length + bytes.length;
    const readableAt = isStreamed ? end - lineEnd.length : end;
    ranges.push({ part: frame.part, start: length, end, readableAt, usage: frame.usage });
    parts.push(bytes);
    length += bytes.length;
  }
  const body = Buffer.concat(parts);
  const cut = cutOf(fault, ranges, length) ?? length;
  const bytes = body.subarray(0, cut);
  const ends = oddities.includes("splits") ? oddEnds(seededRandom(planned.seed), cut) : ranges.map(({ end }) => end);
  const delivered = ranges.filter(({ readableAt }) => readableAt <= cut);
  return {
    length,
    chunks: cutBytes(bytes, ends),
    usages: delivered.flatMap(({ usage }) => usage ?? []),
    isComplete: cut === length,
    hasContent: ranges.every(({ part, end }) => part === "end" || end <= cut),
  };
}
