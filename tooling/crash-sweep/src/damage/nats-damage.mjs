// @ts-check
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { RUN_ID } from "../driver/run-case.mjs";
import { openBroker } from "../variants/variants.mjs";
import { chooseNumber, chooseOne } from "./choose.mjs";
import { BYTE_DAMAGES } from "./damage-bytes.mjs";

/** @import { NextMsgRequest } from "@nats-io/jetstream" */
/** @import { MsgHdrs, NatsConnection } from "@nats-io/transport-node" */
/** @import { Random } from "./choose.mjs" */
/** @import { Damage } from "./file-damage.mjs" */

/**
 * One stored message. Its subject is relative to the run.
 * @typedef {{ subject: string, data: Uint8Array, headers: MsgHdrs | undefined }} Message
 */

/** Headers that are specific to the stream from which a message was read. */
const STREAM_HEADERS = ["Nats-Msg-Id", "Nats-Expected-Last-Subject-Sequence", "Nats-Expected-Stream"];

/**
 * Reads all messages of a run, in stream order.
 * @param {NatsConnection} connection
 * @param {{ name: string, runId: string }} run
 * @returns {Promise<Message[]>}
 */
export async function readRun(connection, { name, runId }) {
  const manager = await jetstreamManager(connection);
  const stream = `${name}_runs`;
  const base = `${name}.run.${runId}.`;
  /** @type {Message[]} */
  const messages = [];
  for (let seq = 1; ; ) {
    /** @type {Required<NextMsgRequest>} */
    const query = { seq, next_by_subj: `${base}>` };
    const found = await manager.streams.getMessage(stream, query).catch(() => null);
    if (found === null) return messages;
    messages.push({ subject: found.subject.slice(base.length), data: found.data, headers: found.header });
    seq = found.seq + 1;
  }
}

/**
 * Writes messages to a store of another name, whose streams are created by opening and closing it.
 * @param {NatsConnection} connection
 * @param {{ name: string, url: string, state: string, messages: readonly Message[] }} copy
 * @returns {Promise<void>}
 */
export async function writeRun(connection, { name, url, state, messages }) {
  await (await openBroker(state, { url, name })).close();
  const stream = jetstream(connection);
  for (const { subject, data, headers } of messages) {
    for (const header of STREAM_HEADERS) headers?.delete(header);
    await stream.publish(`${name}.run.${RUN_ID}.${subject}`, data, headers === undefined ? {} : { headers });
  }
}

/**
 * Removes the streams of a store.
 * @param {NatsConnection} connection
 * @param {string} name
 * @returns {Promise<void>}
 */
export async function removeStreams(connection, name) {
  const manager = await jetstreamManager(connection);
  for (const kind of ["runs", "beats"]) await manager.streams.delete(`${name}_${kind}`).catch(() => false);
}

/**
 * Damages the messages of a run: some are deleted, changed, or replaced by older ones or by those of another run.
 * @param {{ newest: readonly Message[], older: readonly Message[], other: readonly Message[] }} messages
 * @param {Random} random
 * @returns {Damage & { messages: readonly Message[], isConsistent: boolean }} `isConsistent`: only the watermark proves it.
 */
export function damageMessages({ newest, older, other }, random) {
  const subject = chooseOne(random, ["data.checkpoints", "data.checkpoints", "data.events", "meta"]);
  const isOf = (/** @type {Message} */ message) => message.subject === subject;
  const rest = newest.filter((message) => !isOf(message));
  const own = newest.filter(isOf);
  const kind = chooseOne(random, [
    "purged",
    "last deleted",
    "one deleted",
    "bytes",
    "older",
    "other",
    "all older",
    "data purged",
  ]);
  const done = (/** @type {readonly Message[]} */ messages, isConsistent = false) => {
    return { name: `${subject}: ${kind}`, isHarmless: false, messages, isConsistent };
  };
  switch (kind) {
    case "purged":
      return done(rest);
    case "last deleted":
      return done([...rest, ...own.slice(0, -1)]);
    case "one deleted": {
      const lost = chooseNumber(random, 0, own.length - 1);
      return done([...rest, ...own.filter((_, index) => index !== lost)]);
    }
    case "older":
      return done([...rest, ...older.filter(isOf)]);
    case "other":
      return done([...rest, ...other.filter(isOf)]);
    case "all older":
      return done(older, true);
    case "data purged":
      return done(newest.filter((message) => message.subject === "meta" || message.subject.includes("documents")));
    default:
      return done(withChangedBytes(newest, random));
  }
}

/**
 * @param {readonly Message[]} messages
 * @param {Random} random
 * @returns {Message[]}
 */
function withChangedBytes(messages, random) {
  const filled = messages.flatMap(({ data }, index) => (data.length > 0 ? [index] : []));
  const damaged = chooseOne(random, filled);
  const change = chooseOne(random, Object.values(BYTE_DAMAGES));
  return messages.map((message, index) => {
    return index === damaged ? { ...message, data: change(Buffer.from(message.data), random) } : message;
  });
}
