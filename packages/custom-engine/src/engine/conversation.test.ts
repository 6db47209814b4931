import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { runEngine } from "../../test/run-engine.ts";
import { script } from "../../test/script-engine.ts";

describe("a stateful engine", () => {
  const STATEFUL = script(
    `const turn = Number(input.session_id?.split("-")[1] ?? 0) + 1;
     reply({ final_message: "answer " + turn, session_id: "session-" + turn, input_tokens: 10, cost_usd: 0.25, duration_ms: 5,
             transcript: [...input.messages, { role: "assistant", content: "answer " + turn }],
             artifacts: { generated_files: ["turn-" + turn + ".md"] } })`,
    { conversation_mode: "stateful", effects: "idempotent" },
  );
  const messages = ["one", "two", "three"].map((content) => ({ role: "user" as const, content }));

  test("is called once for each user message, and continues by its id", async () => {
    await using workspace = await openWorkspace();
    const { result, error, host } = await runEngine(STATEFUL, {
      environment: workspace.environment,
      input: { messages },
    });
    expect(error).toBeUndefined();
    expect(result).toMatchObject({
      final_message: "answer 3",
      session_id: "session-3",
      turns: 3,
      input_tokens: 30,
      cost_usd: 0.75,
      duration_ms: 15,
    });
    expect(result?.transcript?.map(({ content, turn }) => `${turn} ${content}`)).toEqual([
      ...["1 one", "1 answer 1", "2 two", "2 answer 2", "3 three", "3 answer 3"],
    ]);
    expect(result?.artifacts).toEqual({ generated_files: ["turn-1.md", "turn-2.md", "turn-3.md"] });
    expect(host.totalUsage).toMatchObject({ inputTokens: 30, costMicros: 750_000 });
  });

  test("may read its input file with grep, as it is one line of JSON without spaces", async () => {
    await using workspace = await openWorkspace();
    const program = `
      if grep -q '"session_id":"session-1"' "$1"; then turn=2; else turn=1; fi
      printf '{"exit_code":0,"final_message":"turn %s, %s lines","session_id":"session-1"}' "$turn" "$(wc -l < "$1" | tr -d ' ')"`;
    const local = { command: "sh", args: ["-c", program, "sh", "${input_file}"] };
    const custom = { transport: "local", conversation_mode: "stateful", effects: "idempotent", local };
    const { result, error } = await runEngine(custom, {
      environment: workspace.environment,
      input: { messages: messages.slice(0, 2) },
    });
    expect(error).toBeUndefined();
    expect(result?.final_message).toBe("turn 2, 0 lines");
  });

  test("without an id cannot continue, unless it is the last turn", async () => {
    await using workspace = await openWorkspace();
    const { environment } = workspace;
    const custom = {
      ...STATEFUL,
      ...script('reply({ final_message: "hi" })'),
      conversation_mode: "stateful",
      effects: "idempotent",
    };
    const { error } = await runEngine(custom, { environment, input: { messages, case_id: "c" } });
    expect(error?.message).toContain(
      "case c turn 1: custom stateful engine returned no session_id; turn 2 cannot resume",
    );
    expect((await runEngine(custom, { environment })).error).toBeUndefined();
  });

  test("ends with the turn that fails", async () => {
    await using workspace = await openWorkspace();
    const custom = {
      ...script('reply({ exit_code: 3, session_id: "s" })'),
      conversation_mode: "stateful",
      effects: "idempotent",
    };
    const { result, host } = await runEngine(custom, { environment: workspace.environment, input: { messages } });
    expect(result).toMatchObject({ exit_code: 3, turns: 1 });
    expect(host.ofType("user_input")).toHaveLength(1);
  });
});

describe("going on after a crash", () => {
  async function cutOff(effects: string) {
    const workspace = await openWorkspace();
    const custom = script(
      'fs.appendFileSync("calls", "x"); reply({ final_message: fs.readFileSync("calls", "utf8") })',
      { effects },
    );
    const first = await runEngine(custom, { environment: workspace.environment });
    const [begun, done] = first.host.checkpoints;
    return { workspace, custom, begun, done };
  }

  test("a call that may be made again is made again [D9]", async () => {
    const { workspace, custom, begun } = await cutOff("idempotent");
    await using _ = workspace;
    const { result } = await runEngine(custom, { environment: workspace.environment, resumeFrom: begun });
    expect(result?.final_message).toBe("xx");
  });

  test("an unsafe one is never retried: its effect is unknown [D4]", async () => {
    const { workspace, custom, begun } = await cutOff("unsafe");
    await using _ = workspace;
    const { error } = await runEngine(custom, { environment: workspace.environment, resumeFrom: begun });
    expect(error).toMatchObject({ code: "transport.unknown_outcome" });
    expect(await workspace.read("calls")).toBe("x");
  });

  test("one that was over is over [D5]", async () => {
    const { workspace, custom, done } = await cutOff("unsafe");
    await using _ = workspace;
    const { result, error } = await runEngine(custom, { environment: workspace.environment, resumeFrom: done });
    expect([error, result?.final_message]).toEqual([undefined, "x"]);
    expect(await workspace.read("calls")).toBe("x");
  });
});
