// @ts-check
// An agent made with the official library of the protocol, which checks every message of its client:
// node sdk-agent.mjs [signed-out | loads | lists | lists-broken] LOG. The prompt says what it does. One that lists its sessions has
// three, on two pages, and fails to load any with an error that does not say why.
import { appendFileSync } from "node:fs";
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const log = process.argv.at(-1) ?? "";
const mode = process.argv[2] ?? "";
const note = (/** @type {unknown} */ entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);

/** @type {Record<string, (client: any, sessionId: string) => Promise<any>>} */
const ACTS = {
  async files(client, sessionId) {
    const cwd = process.cwd();
    const read = await client.request(methods.client.fs.readTextFile, {
      sessionId,
      path: `${cwd}/a.txt`,
      line: 2,
      limit: 1,
    });
    await client.request(methods.client.fs.writeTextFile, { sessionId, path: `${cwd}/b.txt`, content: read.content });
    for (const path of ["/etc/passwd", `${cwd}/../outside.txt`, `${cwd}/link/passwd`, "a.txt"]) {
      await client
        .request(methods.client.fs.readTextFile, { sessionId, path })
        .then(note, (/** @type {Error} */ error) => note({ refused: path.replace(cwd, ""), message: error.message }));
    }
    await client
      .request(methods.client.terminal.create, { sessionId, command: "id" })
      .catch((/** @type {any} */ error) => note({ terminal: error.code }));
  },
  async writes(client, sessionId) {
    await client
      .request(methods.client.fs.writeTextFile, { sessionId, path: `${process.cwd()}/b.txt`, content: "two" })
      .then(note, (/** @type {Error} */ error) => note({ unwritten: error.message }));
  },
  async permission(client, sessionId) {
    const toolCall = { toolCallId: "t", title: "rm -rf build", kind: "execute", rawInput: { command: "rm -rf build" } };
    const options = [
      { optionId: "yes-always", name: "Always", kind: "allow_always" },
      { optionId: "yes", name: "Once", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const answer = await client.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
    note({ outcome: answer.outcome });
    const onlyYes = await client.request(methods.client.session.requestPermission, {
      ...{ sessionId, toolCall: { ...toolCall, toolCallId: "u" } },
      options: options.slice(0, 1),
    });
    note({ outcome: onlyYes.outcome });
  },
  // Asks twice for the permission to make the same edit.
  async edits(client, sessionId) {
    const path = `${process.cwd()}/a.txt`;
    const content = [{ type: "diff", path, oldText: "one", newText: "two" }];
    const toolCall = { toolCallId: "e", title: "Edit a.txt", kind: "edit", content };
    const options = [
      { optionId: "yes", name: "Once", kind: "allow_once" },
      { optionId: "no", name: "No", kind: "reject_once" },
    ];
    const ask = () => client.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
    note({ outcome: (await ask()).outcome });
    note({ outcome: (await ask()).outcome });
  },
  // Asks for the permission to edit a.txt, writes it, then writes b.txt and a.txt again.
  async "edits and writes"(client, sessionId) {
    const write = (/** @type {string} */ name, /** @type {string} */ content) =>
      client
        .request(methods.client.fs.writeTextFile, { sessionId, path: `${process.cwd()}/${name}`, content })
        .then(note, (/** @type {Error} */ error) => note({ unwritten: error.message }));
    const diff = { type: "diff", path: `${process.cwd()}/a.txt`, oldText: "one", newText: "two" };
    const toolCall = { toolCallId: "e", title: "Edit a.txt", kind: "edit", content: [diff] };
    const options = [{ optionId: "yes", name: "Once", kind: "allow_once" }];
    await client.request(methods.client.session.requestPermission, { sessionId, toolCall, options });
    await write("a.txt", "two");
    await write("b.txt", "new");
    await write("a.txt", "three");
  },
  async refused() {
    return { stopReason: "refusal" };
  },
  tokens: async () => ({ stopReason: "max_tokens" }),
  requests: async () => ({ stopReason: "max_turn_requests" }),
  cancelled: async () => ({ stopReason: "cancelled" }),
  fails: async () => {
    throw RequestError.internalError({ details: "the model is overloaded" });
  },
  unauthorised: async () => {
    throw new RequestError(401, "invalid api key");
  },
  async thinks(client, sessionId) {
    const say = (/** @type {Record<string, unknown>} */ update) =>
      client.notify(methods.client.session.update, { sessionId, update });
    await say({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "First I think." } });
    await say({ sessionUpdate: "plan", entries: [{ content: "Look", priority: "high", status: "pending" }] });
  },
  // Sends a text of exactly 1 MiB ("Working." is its beginning) and tool output of exactly 1 MiB, and then more of both.
  async floods(client, sessionId) {
    const say = (/** @type {Record<string, unknown>} */ update) =>
      client.notify(methods.client.session.update, { sessionId, update });
    const print = (/** @type {string} */ data) =>
      say({
        ...{ sessionUpdate: "tool_call_update", toolCallId: "t", status: "in_progress" },
        _meta: { terminal_output_delta: { data, terminal_id: "t" } },
      });
    for (const text of ["x".repeat(1024 * 1024 - "Working.".length), "more text", "and more"]) {
      await say({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    }
    await say({ sessionUpdate: "tool_call", toolCallId: "t", title: "yes", kind: "execute", status: "in_progress" });
    for (const data of ["x".repeat(512 * 1024), "y".repeat(512 * 1024), "more output"]) await print(data);
    await say({ sessionUpdate: "tool_call_update", toolCallId: "t", status: "completed" });
  },
};

const app = agent({ name: "sdk-agent" })
  .onRequest(methods.agent.initialize, ({ params }) => {
    note({ method: "initialize", params });
    return {
      protocolVersion: 1,
      agentCapabilities: {
        mcpCapabilities: { http: true },
        loadSession: mode.startsWith("lists") || mode === "loads",
        ...(mode.startsWith("lists") ? { sessionCapabilities: { list: {} } } : {}),
      },
      authMethods: [{ id: "key", name: "A key" }],
    };
  })
  .onRequest(methods.agent.authenticate, ({ params }) => {
    note({ method: "authenticate", params });
    return {};
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    note({ method: "session/new", params });
    if (mode === "signed-out") throw RequestError.authRequired();
    const modes = {
      currentModeId: "ask",
      availableModes: [
        { id: "ask", name: "Ask" },
        { id: "code", name: "Code" },
      ],
    };
    return { sessionId: "s-1", modes };
  })
  .onRequest(methods.agent.session.load, () => {
    throw RequestError.internalError({ service: "session" }, "service failure");
  })
  .onRequest(methods.agent.session.list, ({ params }) => {
    note({ method: "session/list", params });
    if (mode === "lists-broken" && params.cursor === "second") throw RequestError.internalError();
    const ids = params.cursor === "second" ? ["s-kept"] : ["s-1", "s-2"];
    const sessions = ids.map((sessionId) => ({ sessionId, cwd: process.cwd() }));
    return params.cursor === "second" ? { sessions } : { sessions, nextCursor: "second" };
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    note({ method: "session/set_mode", params });
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    note({ method: "session/prompt", params });
    const [part] = params.prompt;
    const act = ACTS[part?.type === "text" ? part.text : ""];
    const content = { type: /** @type {const} */ ("text"), text: "Working." };
    await client.notify(methods.client.session.update, {
      ...{ sessionId: params.sessionId },
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return (await act?.(client, params.sessionId)) ?? { stopReason: "end_turn" };
  });
app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
