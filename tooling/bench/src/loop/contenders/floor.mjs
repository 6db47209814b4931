// @ts-check
// The least that a loop can do: a list of messages, validated arguments, events.
import { EventEmitter } from "node:events";
import { Ajv } from "ajv";
import { argumentsOf, DELTA, latencyOf, listener, resultOf, TOOL } from "./plan.mjs";

/** @import { Contender, Plan } from "./plan.mjs" */
/** @typedef {{ type: string, id?: string, text?: string }} Piece */

const validate = new Ajv().compile(TOOL.schema);

/** @param {Plan} plan @param {number} round @returns {AsyncGenerator<Piece>} */
async function* answer(plan, round) {
  const latency = latencyOf(plan);
  if (latency !== undefined) await latency;
  if (round < plan.rounds) {
    const id = `call-${round}`;
    yield { type: "call_start", id };
    yield { type: "call", id, text: JSON.stringify(argumentsOf(round)) };
  } else {
    for (let index = 0; index < plan.deltas; index += 1) yield { type: "text", text: DELTA };
  }
  yield { type: "end" };
}

/** @param {Plan} plan */
async function converse(plan) {
  const { sawCall, sawDelta, seen } = listener(plan);
  const events = new EventEmitter();
  events.on("call_end", sawCall);
  const messages = [{ role: "user", content: "go", id: "" }];
  for (let round = 0, isOver = false; !isOver; round += 1) {
    let content = "";
    let call;
    for await (const piece of answer(plan, round)) {
      if (piece.type === "text") {
        content += piece.text;
        const pause = sawDelta(piece.text ?? "");
        if (pause !== undefined) await pause;
      } else if (piece.type === "call") call = piece;
    }
    events.emit("message", content);
    messages.push({ role: "assistant", content: call?.text ?? content, id: call?.id ?? "" });
    isOver = call === undefined;
    if (call === undefined) continue;
    events.emit("call_start", call);
    const isValid = validate(JSON.parse(call.text ?? ""));
    const result = await (isValid ? resultOf(plan) : "invalid");
    messages.push({ role: "tool", content: result, id: call.id ?? "" });
    events.emit("call_end", result);
  }
  kept.push(messages);
  return seen();
}

/** @type {unknown[]} */
const kept = [];

/** @returns {Promise<Contender>} */
export async function openFloor() {
  return { converse };
}
