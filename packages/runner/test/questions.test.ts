import { EngineError, SESSION_RESULT, textOf, type UserReply } from "@switchyard/contracts";
import { defineEngine } from "@switchyard/engine";
import { openFileStore } from "@switchyard/stores/file";
import { expect, test } from "vitest";
import { runSession, startSession } from "../src/index.ts";
import { collect, task, temporaryWorkspace } from "./temporary-session.ts";

const QUESTION = { id: "q1", parts: [{ type: "text", text: "Which one?" }] } as const;

const asking = defineEngine(async (_run, host, board) => {
  const reply = await host.askUser(QUESTION);
  board.set(SESSION_RESULT, { exit_code: 0, final_message: textOf(reply) });
});

function reply(text: string): UserReply {
  return { parts: [{ type: "text", text }] };
}

test("a question waits for its answer, and the run reports the wait [engine-user-prompter-3]", async () => {
  using workspace = temporaryWorkspace();
  const handle = await startSession(task(), workspace.options({ engine: asking, isAnswerable: true }));
  const seen: [string, unknown][] = [];
  for await (const event of handle.events()) {
    seen.push([event.type, event.payload]);
    if (event.type !== "user_prompted") continue;
    expect((await openFileStore({ directory: workspace.stateDirectory }).show(handle.runId)).record?.status).toBe(
      "awaiting_input",
    );
    expect(() => handle.answer("other", reply("x"))).toThrow(expect.objectContaining({ code: "prompt.unknown" }));
    handle.answer("q1", reply("The first."));
  }
  expect((await handle.result).result?.final_message).toBe("The first.");
  expect(seen).toEqual([
    ["run_start", { resumed: false }],
    ["run_status_changed", { status: "awaiting_input" }],
    ["user_prompted", { prompt_id: "q1", parts: QUESTION.parts }],
    ["user_replied", { prompt_id: "q1", parts: [{ type: "text", text: "The first." }] }],
    ["run_status_changed", { status: "running" }],
    ["run_status_changed", { status: "completed" }],
    ["run_end", { outcome: "completed" }],
  ]);
});

test("a prompter answers by itself, and its failure reaches the engine", async () => {
  using workspace = temporaryWorkspace();
  const answering = { askUser: async () => reply("From the terminal.") };
  const report = await runSession(task(), workspace.options({ engine: asking, userPrompter: answering }));
  expect(report.result?.final_message).toBe("From the terminal.");
  const broken = { askUser: async () => Promise.reject(new EngineError("prompt.unavailable")) };
  const failed = await runSession(task(), workspace.options({ engine: asking, userPrompter: broken }));
  expect(failed).toMatchObject({ status: "error", error: { code: "prompt.unavailable" } });
});

test("without a user, a question is refused [engine-user-prompter-1] [engine-user-prompter-2]", async () => {
  using workspace = temporaryWorkspace();
  const report = await runSession(task(), workspace.options({ engine: asking }));
  expect(report).toMatchObject({ status: "error", error: { code: "prompt.unavailable", class: "not_available" } });
});

test("a waiting question ends with the run: interrupted or cancelled", async () => {
  using workspace = temporaryWorkspace();
  for (const stop of ["interrupt", "cancel"] as const) {
    const controller = new AbortController();
    const options = workspace.options({ engine: asking, isAnswerable: true, signal: controller.signal });
    const handle = await startSession(task(), options);
    for await (const event of handle.events()) {
      if (event.type !== "user_prompted") continue;
      if (stop === "interrupt") handle.interrupt({ cause: "user_cancel" });
      else controller.abort();
    }
    expect((await handle.result).status).toBe(stop === "interrupt" ? "interrupted" : "cancelled");
    expect(() => handle.answer("q1", reply("late"))).toThrow(EngineError);
  }
});

test("two concurrent questions have separate ids, and the run continues when both are answered", async () => {
  using workspace = temporaryWorkspace();
  const engine = defineEngine(async (_run, host, board) => {
    const replies = await Promise.all([host.askUser(QUESTION), host.askUser(QUESTION)]);
    board.set(SESSION_RESULT, { exit_code: 0, final_message: replies.map(textOf).join("+") });
  });
  const handle = await startSession(task(), workspace.options({ engine, isAnswerable: true, createId: counter() }));
  const ids: string[] = [];
  for await (const event of handle.events()) {
    if (event.type !== "user_prompted") continue;
    ids.push(event.payload.prompt_id);
    if (ids.length === 2) for (const [index, id] of ids.entries()) handle.answer(id, reply(String(index)));
  }
  expect(new Set(ids).size).toBe(2);
  expect((await handle.result).result?.final_message).toBe("0+1");
  const stored = await collect(openFileStore({ directory: workspace.stateDirectory }).events(handle.runId));
  const states = stored.filter((event) => event.type === "run_status_changed").map((event) => event.payload.status);
  expect(states).toEqual(["awaiting_input", "running", "completed"]);
});

function counter(): () => string {
  let count = 0;
  return () => `id-${++count}`;
}
