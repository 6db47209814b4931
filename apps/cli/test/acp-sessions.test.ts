import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ListSessionsRequest, methods } from "@agentclientprotocol/sdk";
import { describe, expect, test } from "vitest";
import { answerCall, answerError, startLoopbackModel } from "./loopback-model.ts";
import { type MockAnswer, startMockModel } from "./mock-model.ts";
import { openEditor } from "./open-editor.ts";
import { makeFolder } from "./start-switchyard.ts";

const WRITES: MockAnswer = { name: "write_file", arguments: { file_path: "b.txt", content: "new\n" } };
const WAITS = answerCall("shell", { command: "touch begun; while [ -e begun ]; do sleep 0.05; done" });

function wordsFor(baseUrl: string): string[] {
  return ["--model", "anthropic/m", "--base-url", baseUrl, "--mode", "auto"];
}

describe("sessions of an editor", () => {
  test("continue in a new process after the old one was killed, with everything that was shown", async () => {
    const { baseUrl, mock } = await startMockModel("anthropic", [WRITES, "Done.", "As I said."]);
    const first = await openEditor(wordsFor(baseUrl));
    expect(first.about.agentCapabilities).toMatchObject({
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    });
    const { sessionId } = await first.open();
    await first.say(sessionId, "Write it.");
    first.command.kill("SIGKILL");
    await first.command;
    const { home, cwd } = first;
    const second = await openEditor(wordsFor(baseUrl), { home, cwd });
    expect(await second.load(sessionId)).toMatchObject({ modes: { currentModeId: "auto" } });
    expect(second.updates).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: { text: "Write it." } },
      { sessionUpdate: "tool_call", title: "write_file b.txt", kind: "edit", rawInput: { file_path: "b.txt" } },
      { sessionUpdate: "tool_call_update", status: "completed" },
      { sessionUpdate: "agent_message_chunk", content: { text: "Done." } },
    ]);
    expect(await second.say(sessionId, "Again?")).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toMatch(/Write it\..*write_file.*Done\..*Again\?/s);
    second.command.stdin?.end();
    await second.command;
    const third = await openEditor(wordsFor(baseUrl), { home, cwd });
    await third.load(sessionId);
    expect(third.text()).toBe("Done.As I said.");
    third.command.stdin?.end();
    await third.command;
  });

  test("report the error code of a failed prompt and what to do next", async () => {
    const { baseUrl } = await startLoopbackModel(answerError(401, "authentication_error"));
    const editor = await openEditor(wordsFor(baseUrl));
    const { sessionId } = await editor.open();
    const error: unknown = await editor.say(sessionId, "Hi.").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ data: { code: "llm.authentication", remedy: "Check ANTHROPIC_API_KEY." } });
    expect(String(error)).toContain("a loopback server says 401");
    editor.command.stdin?.end();
    await editor.command;
  });

  test("whose prompt was interrupted by the death of the process are continued", async () => {
    const waiting = await startLoopbackModel(WAITS);
    const first = await openEditor(wordsFor(waiting.baseUrl));
    const { sessionId } = await first.open();
    const prompt = first.say(sessionId, "Wait.").catch(() => "gone");
    await expect.poll(() => readdir(first.cwd)).toContain("begun");
    first.command.kill("SIGKILL");
    await first.command;
    await prompt;
    const { baseUrl, mock } = await startMockModel("anthropic", ["Here again."]);
    const { home, cwd } = first;
    const second = await openEditor(wordsFor(baseUrl), { home, cwd });
    await second.load(sessionId);
    expect(second.updates).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: { text: "Wait." } },
      { sessionUpdate: "tool_call", kind: "execute" },
      { sessionUpdate: "tool_call_update", status: "failed" },
    ]);
    expect(await second.say(sessionId, "Where are we?")).toMatchObject({ stopReason: "end_turn" });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toMatch(/Wait\..*Where are we\?/s);
    second.command.stdin?.end();
    await second.command;
  });

  test("are not loaded while they are worked on, here or elsewhere, nor from another folder, nor when unknown", async () => {
    const { baseUrl } = await startLoopbackModel(WAITS);
    const first = await openEditor(wordsFor(baseUrl));
    const { sessionId } = await first.open();
    const prompt = first.say(sessionId, "Wait.");
    await expect.poll(() => readdir(first.cwd)).toContain("begun");
    const { home, cwd } = first;
    const second = await openEditor(wordsFor(baseUrl), { home, cwd });
    for (const editor of [first, second]) await expect(editor.load(sessionId)).rejects.toThrow("is in progress");
    await first.agent.notify(methods.agent.session.cancel, { sessionId });
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    await expect(second.load(sessionId, await makeFolder())).rejects.toThrow("belongs to another folder");
    for (const unknown of ["nobody", "../../runs", "00000000-0000-4000-8000-000000000000"]) {
      await expect(second.load(unknown)).rejects.toThrow("Unknown session");
    }
    expect(second.updates).toEqual([]);
    await second.load(sessionId);
    for (const { command } of [first, second]) {
      command.stdin?.end();
      await command;
    }
  });

  test("are listed by folder, resumed without a replay, closed and deleted", async () => {
    const { baseUrl, mock } = await startMockModel("anthropic", ["One.", "Two.", "Three."]);
    const first = await openEditor(wordsFor(baseUrl));
    const [one, two] = [await first.open(), await first.open()];
    await first.say(one.sessionId, "First task.");
    await first.say(two.sessionId, "Second task.");
    const list = (params: ListSessionsRequest = {}) => first.agent.request(methods.agent.session.list, params);
    expect(await list({ cwd: first.cwd })).toMatchObject({
      sessions: [
        { sessionId: two.sessionId, title: "Second task." },
        { sessionId: one.sessionId, title: "First task.", cwd: first.cwd },
      ],
    });
    expect(await list({ cwd: await makeFolder() })).toEqual({ sessions: [] });
    await first.agent.request(methods.agent.session.close, { sessionId: one.sessionId });
    await expect(first.say(one.sessionId, "Gone?")).rejects.toThrow("Unknown session");
    const told = first.updates.length;
    const params = { sessionId: one.sessionId, cwd: first.cwd };
    await first.agent.request(methods.agent.session.resume, params);
    expect(first.updates).toHaveLength(told);
    await first.say(one.sessionId, "Go on.");
    expect(JSON.stringify(mock.getLastRequest()?.body)).toMatch(/First task\..*One\..*Go on\./s);
    await first.agent.request(methods.agent.session.delete, { sessionId: two.sessionId });
    expect((await list()).sessions).toHaveLength(1);
    await writeFile(join(first.home, `.local/state/switchyard/acp/${one.sessionId}.json`), "{");
    await expect(first.load(one.sessionId)).rejects.toThrow("damaged");
    first.command.stdin?.end();
    await first.command;
  });
});
