import { isRecord, jsonValue } from "../failure/error-info.ts";
import type { JsonRecord } from "./normaliser.ts";
import { isSameArguments } from "./same-arguments.ts";

/** One tool call of a stream, as received so far. */
interface StreamedCall {
  /** Index of the call, unique within the response. */
  readonly index: number;
  /** Index that the server sent for the call. `undefined` if the server sent none. */
  readonly serverIndex: number | undefined;
  /** Number of the stream event that started the call. */
  readonly event: number;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  /** Chunks of the arguments whose JSON escape sequences were not decoded yet. */
  unread: string[];
  /**
   * True if an earlier call of the response has the same id. The call is buffered and passed on when the response ends.
   */
  readonly isRepeat: boolean;
}

/** Fields of a tool call delta in a stream. */
interface CallDelta {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly serverIndex: number | undefined;
  readonly arguments: string;
  readonly raw: JsonRecord;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function toDelta(raw: JsonRecord): CallDelta {
  const fields = isRecord(raw["function"]) ? raw["function"] : {};
  const { index } = raw;
  const serverIndex = typeof index === "number" ? index : undefined;
  const text = fields["arguments"];
  return {
    id: textIn(raw["id"]),
    name: textIn(fields["name"]),
    serverIndex,
    arguments: typeof text === "string" ? text : "",
    raw,
  };
}

/** Returns the part of the call's arguments that has arrived. */
function textOf(call: StreamedCall): string {
  if (call.unread.length > 0) {
    const text = Buffer.from(call.unread.join(""), "latin1").toString();
    const read = jsonValue(`"${text}"`);
    call.arguments += typeof read === "string" ? read : text;
    call.unread = [];
  }
  return call.arguments;
}

function isComplete(call: StreamedCall): boolean {
  return jsonValue(textOf(call)) !== undefined;
}

/**
 * Returns whether a delta must start another tool call, because the current call is complete and more arguments arrive.
 */
function startsNewCall(delta: CallDelta, call: StreamedCall): boolean {
  return delta.name !== undefined && delta.arguments.trim() !== "" && textOf(call) !== "" && isComplete(call);
}

/**
 * Distinguishes the tool calls of a stream. Servers omit the index, use index 0 for every call, repeat id or name in
 * every delta, generate a new id for each delta, or reuse an id. The first rule that applies assigns a delta to a call:
 * - A known id identifies the call.
 * - An index identifies the call, unless the delta starts a new call.
 * - Otherwise, the delta belongs to the open call.
 */
export class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  #event = 0;
  #hasHandedOn = false;

  /** True if calls are buffered until the response ends. */
  get holdsRepeats(): boolean {
    return this.#calls.some(({ isRepeat }) => isRepeat);
  }

  /** Returns true if a delta with this index and without a call id can only belong to one tool call. */
  isPlain(index: number): boolean {
    const call = this.#calls[index];
    if (call === undefined || call.serverIndex !== index || call.isRepeat) return false;
    return this.#calls.every(
      (other) => other === call || (other.serverIndex !== undefined && other.serverIndex !== index),
    );
  }

  /**
   * Adds a chunk of the arguments of the call with this index. Call this method only if `isPlain` returns true for the
   * index. The chunk is part of a JSON string, with escape sequences that are not decoded yet.
   */
  addPiece(index: number, piece: string): void {
    this.#calls[index]?.unread.push(piece);
  }

  /**
   * Adds the tool call deltas of one stream event. Returns the deltas to pass on, each with the unique index of its
   * call.
   */
  add(raws: readonly JsonRecord[]): readonly JsonRecord[] {
    this.#event += 1;
    const deltas = raws.map(toDelta);
    return deltas.flatMap((delta, position) => {
      const call = this.#callOf(delta, { position, deltas }) ?? this.#begin(delta);
      call.id ??= delta.id;
      call.name ??= delta.name;
      call.arguments = textOf(call) + delta.arguments;
      return call.isRepeat
        ? []
        : [{ ...delta.raw, index: call.index, ...(call.id === undefined ? {} : { id: call.id }) }];
    });
  }

  /**
   * Returns the buffered calls, whose id equals the id of an earlier call of the response. Omits calls that repeat an
   * earlier call exactly. The other calls are different calls with a reused id, so they are returned without an id. If
   * this method is called again, it returns an empty list.
   */
  repeats(): readonly JsonRecord[] {
    // Servers may send the end of a response twice.
    if (this.#hasHandedOn) return [];
    this.#hasHandedOn = true;
    const others = this.#calls.filter(({ isRepeat }) => isRepeat);
    const isSame = (one: StreamedCall, other: StreamedCall): boolean =>
      one.index < other.index &&
      one.id === other.id &&
      one.name === other.name &&
      isSameArguments(textOf(one), textOf(other));
    return others
      .filter((other) => !this.#calls.some((one) => isSame(one, other)))
      .map((call) => ({
        index: call.index,
        type: "function",
        function: { name: call.name, arguments: textOf(call) },
      }));
  }

  #begin({ id, name, serverIndex }: CallDelta): StreamedCall {
    const isRepeat = id !== undefined && this.#calls.some((call) => call.id === id);
    const index = this.#calls.length;
    const call: StreamedCall = {
      index,
      serverIndex,
      event: this.#event,
      id,
      name,
      arguments: "",
      unread: [],
      isRepeat,
    };
    this.#calls.push(call);
    return call;
  }

  #callOf(delta: CallDelta, siblings: { position: number; deltas: readonly CallDelta[] }): StreamedCall | undefined {
    const { id, name, serverIndex } = delta;
    const known = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id);
    if (known !== undefined) {
      const isOther =
        name !== undefined &&
        serverIndex !== undefined &&
        known.serverIndex !== undefined &&
        serverIndex !== known.serverIndex;
      return isOther || startsNewCall(delta, known) ? undefined : known;
    }
    const open = this.#openCall(delta, siblings);
    if (open === undefined || startsNewCall(delta, open)) return undefined;
    if (name === undefined) return id !== undefined && textOf(open) !== "" && isComplete(open) ? undefined : open;
    if (open.name === undefined) return open;
    // A delta with a repeated name belongs to the open call in two cases:
    // the open call's arguments are incomplete, or the call or the delta has no id.
    const isUnderWay = textOf(open) !== "" && !isComplete(open);
    const isSame = open.name === name && (isUnderWay || open.id === undefined || id === undefined);
    return isSame && serverIndex === open.serverIndex ? open : undefined;
  }

  /** Returns the call of a delta without a known id, by index or position. */
  #openCall(
    { serverIndex, id, name }: CallDelta,
    { position, deltas }: { position: number; deltas: readonly CallDelta[] },
  ): StreamedCall | undefined {
    const candidates =
      serverIndex === undefined ? this.#calls : this.#calls.filter((call) => call.serverIndex === serverIndex);
    const last = candidates.at(-1);
    if (last === undefined)
      return serverIndex !== undefined && id === undefined && name === undefined ? this.#calls.at(-1) : undefined;
    if (id !== undefined || name !== undefined) return last;
    const together = candidates.filter((call) => call.event === last.event);
    if (together.length < 2) return last;
    const nameless = deltas.filter(
      (delta) => delta.serverIndex === serverIndex && delta.id === undefined && delta.name === undefined,
    );
    if (nameless.length > 1) return together[Math.min(position, together.length - 1)];
    return together.find((call) => !isComplete(call)) ?? last;
  }
}
