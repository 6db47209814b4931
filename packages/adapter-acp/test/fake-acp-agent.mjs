// @ts-check
// Plays a recording of a real agent: node fake-acp-agent.mjs RECORDING LOG [arguments of the command]. What the client
// says is told to LOG. A prompt names its case, as the recorded ones do; a loaded session is one whose prompts were told.
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , recording = "", log = "", ...args] = process.argv;
/** @typedef {{ id?: number | undefined, method?: string, params?: any, result?: any }} Message */
/** @type {{ dir: "client" | "agent", msg: Message }[]} */
const recorded = readFileSync(recording, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line));
const note = (/** @type {unknown} */ entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
const send = (/** @type {Message} */ message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const caseOf = (/** @type {any} */ params) => /CASE:([\w-]+)/u.exec(params?.prompt?.[0]?.text ?? "")?.[1];

/** Requests that were not recorded: they are taken, and change nothing. */
const SETTINGS = new Set(["session/set_mode", "session/set_config_option"]);

/** @type {(() => void) | undefined} */
let resume;

/** What the agent said after a message of the client, up to its answer; a request of its own waits for the client. */
async function play(/** @type {Message} */ asked) {
  const start = recorded.findIndex(
    ({ dir, msg }) => dir === "client" && msg.method === asked.method && caseOf(msg.params) === caseOf(asked.params),
  );
  const id = recorded[start]?.msg.id;
  for (const { dir, msg } of recorded.slice(start + 1)) {
    if (dir === "client") continue;
    const isAnswer = msg.method === undefined && msg.id === id;
    send(isAnswer ? { ...msg, id: asked.id } : msg);
    if (isAnswer) return;
    if (msg.id !== undefined) {
      await new Promise((resolve) => {
        resume = () => resolve(undefined);
      });
    }
  }
}

/** Loading tells of the session again, as far as it was recorded, and answers like opening a new one. */
async function load(/** @type {Message} */ asked) {
  for (const { dir, msg } of recorded) {
    // A session that was lost has settings and no history.
    if (asked.params.sessionId === "a-lost-session" && !JSON.stringify(msg).includes("available_commands")) continue;
    if (dir !== "agent" || msg.method !== "session/update") continue;
    send({ ...msg, params: { ...msg.params, sessionId: asked.params.sessionId } });
  }
  send({ id: asked.id, result: {} });
}

note({ args });
createInterface({ input: process.stdin }).on("line", async (line) => {
  /** @type {Message} */
  const message = JSON.parse(line);
  note(message);
  if (message.method === undefined) resume?.();
  else if (message.method === "session/load") await load(message);
  else if (SETTINGS.has(message.method)) send({ id: message.id, result: {} });
  else if (message.id !== undefined) await play(message);
});
