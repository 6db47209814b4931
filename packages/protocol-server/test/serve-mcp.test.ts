import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { expect, test } from "vitest";
import { serveMcp } from "../src/mcp/index.ts";
import { createConnection, createHost, makeFolder } from "./task-host.ts";

/** Responds with the task. */
const echo = defineEngine(async (_run, _host, board) => {
  board.set(SESSION_RESULT, { exit_code: 0, final_message: board.get(SESSION_INPUT)?.messages.at(-1)?.content ?? "" });
});

type Result = { structuredContent?: Record<string, unknown>; isError?: boolean; tools?: { name: string }[] };

/** Connects a client that speaks JSON-RPC, one message a line. */
async function openClient(state: string, root: string) {
  const { server, client } = createConnection();
  const stop = new AbortController();
  const served = serveMcp(server, { host: createHost(echo, state), root, version: "1", stop: stop.signal });
  const writer = client.writable.getWriter();
  const lines = client.readable.pipeThrough(new TextDecoderStream()).getReader();
  let [buffer, id] = ["", 0];
  const read = async (): Promise<Result> => {
    while (!buffer.includes("\n")) buffer += (await lines.read()).value ?? "";
    const end = buffer.indexOf("\n");
    const line: { result: Result } = JSON.parse(buffer.slice(0, end));
    buffer = buffer.slice(end + 1);
    return line.result;
  };
  const send = (message: object): Promise<void> =>
    writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const request = async (method: string, params: object): Promise<Result> => {
    id += 1;
    await send({ id, method, params });
    return read();
  };
  const clientInfo = { name: "test", version: "1" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  await send({ method: "notifications/initialized" });
  const call = (name: string, args: object): Promise<Result> => request("tools/call", { name, arguments: args });
  const close = async (): Promise<void> => {
    stop.abort();
    await served;
  };
  return { request, call, close };
}

test("a task runs in the served folder, and its run is listed and shown", async () => {
  const [state, root] = [await makeFolder(), await makeFolder()];
  const { request, call, close } = await openClient(state, root);
  const { tools } = await request("tools/list", {});
  expect(tools?.map(({ name }) => name)).toEqual(["run_task", "list_runs", "show_run"]);
  const { structuredContent: done } = await call("run_task", { prompt: "Say hello." });
  expect(done).toMatchObject({ status: "completed", final_message: "Say hello." });
  expect((await call("list_runs", {})).structuredContent).toMatchObject({ runs: [{ run_id: done?.["run_id"] }] });
  const shown = await call("show_run", { run_id: done?.["run_id"] });
  expect(shown.structuredContent).toMatchObject({ final_message: "Say hello." });
  await close();
});

test("folders outside the served one, also through links, and runs of other folders are rejected", async () => {
  const [state, root, outside] = [await makeFolder(), await makeFolder(), await makeFolder()];
  await mkdir(join(root, "below"));
  await symlink(outside, join(root, "link"));
  const other = await openClient(state, outside);
  const { structuredContent: hidden } = await other.call("run_task", { prompt: "Elsewhere" });
  await other.close();
  const { call, close } = await openClient(state, root);
  for (const workspace of ["..", "link", outside]) {
    const { isError, structuredContent } = await call("run_task", { prompt: "x", workspace });
    expect([isError, structuredContent]).toMatchObject([true, { error: { code: "input.invalid" } }]);
  }
  expect((await call("run_task", { prompt: "x", workspace: "below" })).isError).toBe(false);
  const shown = await call("show_run", { run_id: hidden?.["run_id"] });
  expect(shown.structuredContent).toMatchObject({ error: { code: "run.not_found" } });
  await close();
});
