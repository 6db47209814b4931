import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { client, methods, ndJsonStream, PROTOCOL_VERSION, type SessionUpdate } from "@agentclientprotocol/sdk";
import { DEPENDENCY, isExecutionEnvironment, SESSION_INPUT, SESSION_RESULT } from "@switchyard/contracts";
import { defineEngine, getDependency } from "@switchyard/engine";
import { expect, test } from "vitest";
import { serveAcp } from "../src/acp/index.ts";
import { createConnection, createHost, makeFolder } from "./task-host.ts";

/** Responds with the file `a.txt` and the number of messages of the conversation. */
const reader = defineEngine(async ({ deps }, _host, board) => {
  const environment = getDependency(deps, DEPENDENCY.environment, isExecutionEnvironment);
  const count = board.get(SESSION_INPUT)?.messages.length;
  const text = await environment.readFile("a.txt");
  board.set(SESSION_RESULT, { exit_code: 0, final_message: `${text.trim()} after ${count}` });
});

async function openEditor(state: string) {
  const { server, client: end } = createConnection();
  const [updates, stop] = [[] as SessionUpdate[], new AbortController()];
  const served = serveAcp(server, {
    ...{ host: createHost(reader, state), stateDirectory: state, version: "1.2.3", mode: "ask" },
    ...{ usesEditorFiles: true, stop: stop.signal },
  });
  const app = client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.fs.readTextFile, () => ({ content: "unsaved\n" }));
  const connection = app.connect(ndJsonStream(end.writable, end.readable));
  const info = await connection.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: false } },
  });
  const close = async (): Promise<void> => {
    stop.abort();
    await served;
  };
  return { agent: connection.agent, info, updates, close };
}

test("prompts of a session are runs that see unsaved files and continue the conversation", async () => {
  const [state, cwd] = [await makeFolder(), await makeFolder()];
  await writeFile(join(cwd, "a.txt"), "saved\n");
  const { agent, info, close } = await openEditor(state);
  expect(info.agentInfo).toMatchObject({ name: "switchyard", version: "1.2.3" });
  const { sessionId, modes } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  expect(modes?.currentModeId).toBe("ask");
  for (const text of ["First", "Second"]) {
    const ended = await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    expect(ended.stopReason).toBe("end_turn");
  }
  await close();
  const reopened = await openEditor(state);
  const { sessions } = await reopened.agent.request(methods.agent.session.list, { cwd });
  expect(sessions.map((session) => session.sessionId)).toEqual([sessionId]);
  await reopened.agent.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
  expect(reopened.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk")).toHaveLength(2);
  const store = await createHost(reader, state).openStore();
  const messages = await Promise.all(
    (await store.list()).map(async ({ runId }) => (await store.show(runId)).report?.result?.final_message),
  );
  expect(messages.sort()).toEqual(["unsaved after 1", "unsaved after 3"]);
  await reopened.close();
});

test("a session of another folder and an unknown mode are rejected", async () => {
  const [state, cwd, other] = [await makeFolder(), await makeFolder(), await makeFolder()];
  await writeFile(join(cwd, "a.txt"), "saved\n");
  const { agent, close } = await openEditor(state);
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
  await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "First" }] });
  const loading = agent.request(methods.agent.session.load, { sessionId, cwd: other, mcpServers: [] });
  await expect(loading).rejects.toThrow("The session belongs to another folder");
  const setting = agent.request(methods.agent.session.setMode, { sessionId, modeId: "everything" });
  await expect(setting).rejects.toThrow("Unknown mode");
  await close();
});
