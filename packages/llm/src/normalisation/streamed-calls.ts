import { isRecord, jsonValue } from "../failure/error-info.ts";
import type { JsonRecord } from "./normaliser.ts";
import { isSameArguments } from "./same-arguments.ts";

/** One call of a stream, as far as it has come. */
interface StreamedCall {
  /** Its index, different from that of every other call. */
  readonly index: number;
  /** The call's `index` as the server sent it; `undefined` if it sent none. */
  readonly given: number | undefined;
  /** Number of the event that began it. */
  readonly event: number;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  /** Pieces of the arguments that are not read yet, as the JSON texts of the stream have them. */
  unread: string[];
  /** Whether its id is that of an earlier call; it is handed on when the answer ends. */
  readonly isRepeat: boolean;
}

/** What a delta says about its call. */
interface CallDelta {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly given: number | undefined;
  readonly arguments: string;
  readonly raw: JsonRecord;
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function toDelta(raw: JsonRecord): CallDelta {
  const told = isRecord(raw["function"]) ? raw["function"] : {};
  const { index } = raw;
  const given = typeof index === "number" ? index : undefined;
  const text = told["arguments"];
  return {
    id: textIn(raw["id"]),
    name: textIn(told["name"]),
    given,
    arguments: typeof text === "string" ? text : "",
    raw,
  };
}

/** The arguments so far. */
function textOf(call: StreamedCall): string {
  if (call.unread.length > 0) {
    const text = Buffer.from(call.unread.join(""), "latin1").toString();
    const read = jsonValue(`"${text}"`);
    call.arguments += typeof read === "string" ? read : text;
    call.unread = [];
  }
  return call.arguments;
}

function isWhole(call: StreamedCall): boolean {
  return jsonValue(textOf(call)) !== undefined;
}

/** Whether a delta can only be the beginning of another call: what there is of this one is whole, and more comes. */
function beginsAnew(delta: CallDelta, call: StreamedCall): boolean {
  return delta.name !== undefined && delta.arguments.trim() !== "" && textOf(call) !== "" && isWhole(call);
}

/**
 * Tells the calls of a stream apart. Servers leave the index out, give every call index 0, repeat the id or the name in
 * every delta, make up a new id for each, or use an id twice. An id that is known decides; else the index does, if the
 * delta does not begin a call of its own; else it is for the call that is open.
 */
export class StreamedCalls {
  readonly #calls: StreamedCall[] = [];
  #event = 0;
  #hasHandedOn = false;

  /** Whether calls are held back until the answer ends. */
  get holdsRepeats(): boolean {
    return this.#calls.some(({ isRepeat }) => isRepeat);
  }

  /** Whether a delta that has nothing but this index is for the call with this index, and for no other. */
  isPlain(index: number): boolean {
    const call = this.#calls[index];
    if (call === undefined || call.given !== index || call.isRepeat) return false;
    return this.#calls.every((other) => other === call || (other.given !== undefined && other.given !== index));
  }

  /** Notes a piece of the arguments of a plain call, as its JSON text has it. */
  addPiece(index: number, piece: string): void {
    this.#calls[index]?.unread.push(piece);
  }

  /** The deltas of one event, each with the index of its call. */
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

  /** Calls under an id that was taken, once: those that say the same again are left out, the others get ids of their own. */
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

  #begin({ id, name, given }: CallDelta): StreamedCall {
    const isRepeat = id !== undefined && this.#calls.some((call) => call.id === id);
    const index = this.#calls.length;
    const call: StreamedCall = { index, given, event: this.#event, id, name, arguments: "", unread: [], isRepeat };
    this.#calls.push(call);
    return call;
  }

  #callOf(delta: CallDelta, siblings: { position: number; deltas: readonly CallDelta[] }): StreamedCall | undefined {
    const { id, name, given } = delta;
    const known = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id);
    if (known !== undefined) {
      const isOther = name !== undefined && given !== undefined && known.given !== undefined && given !== known.given;
      return isOther || beginsAnew(delta, known) ? undefined : known;
    }
    const open = this.#openCall(delta, siblings);
    if (open === undefined || beginsAnew(delta, open)) return undefined;
    if (name === undefined) return id !== undefined && textOf(open) !== "" && isWhole(open) ? undefined : open;
    if (open.name === undefined) return open;
    // The name is repeated: the same call, if it is under way or lacked the id that comes now.
    const isUnderWay = textOf(open) !== "" && !isWhole(open);
    const isSame = open.name === name && (isUnderWay || open.id === undefined || id === undefined);
    return isSame && given === open.given ? open : undefined;
  }

  /** The call that a delta without a known id is for, by its index or its place. */
  #openCall(
    { given, id, name }: CallDelta,
    { position, deltas }: { position: number; deltas: readonly CallDelta[] },
  ): StreamedCall | undefined {
    const candidates = given === undefined ? this.#calls : this.#calls.filter((call) => call.given === given);
    const last = candidates.at(-1);
    if (last === undefined)
      return given !== undefined && id === undefined && name === undefined ? this.#calls.at(-1) : undefined;
    if (id !== undefined || name !== undefined) return last;
    const together = candidates.filter((call) => call.event === last.event);
    if (together.length < 2) return last;
    const nameless = deltas.filter(
      (delta) => delta.given === given && delta.id === undefined && delta.name === undefined,
    );
    if (nameless.length > 1) return together[Math.min(position, together.length - 1)];
    return together.find((call) => !isWhole(call)) ?? last;
  }
}
