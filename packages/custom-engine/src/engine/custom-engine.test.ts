import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterruptLatch } from "@switchyard/engine";
import { recordingHost } from "@switchyard/testkit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { runEngine } from "../../test/run-engine.ts";

const KEY = "sk-the-key-of-this-run-0123456789";

/** An engine that is a few lines of JavaScript; `input`, `reply` and the module `fs` are there. */
function script(body: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  const program = `
    const fs = require("node:fs");
    const [inputFile, outputFile] = process.argv.slice(1);
    const input = JSON.parse(fs.readFileSync(inputFile, "utf8"));
    const reply = (result) => fs.writeFileSync(outputFile, JSON.stringify({ exit_code: 0, final_message: "", ...result }));
    ${body}`;
  const { local, ...custom } = fields;
  return {
    transport: "local",
    ...custom,
    local: {
      command: process.execPath,
      args: ["-e", program, "${input_file}", "${output_file}"],
      output_file: "${output_file}",
      ...(typeof local === "object" ? local : {}),
    },
  };
}

test("the engine gets the whole input and its result is the run's [custom-session-input-1] [custom-session-input-5] [custom-session-input-6] [custom-local-1] [custom-local-5]", async () => {
  await using workspace = await openWorkspace();
  const custom = script("reply({ final_message: JSON.stringify(input) })", {
    kwargs: { profile: "strict" },
    timeout_seconds: 60,
  });
  const messages = [
    { role: "system" as const, content: "Be brief." },
    { role: "user" as const, content: "First." },
    { role: "assistant" as const, content: "Done." },
    { role: "user" as const, content: "Now the rest: ${api_key}" },
  ];
  const input = { messages, case_id: "one", variant: "with_skill", max_turns: 12, timeout_seconds: 300 };
  const model = { provider: "openai", name: "gpt-4.1" };
  const { result, error } = await runEngine(custom, { environment: workspace.environment, input, model, apiKey: KEY });
  expect(error).toBeUndefined();
  expect(JSON.parse(result?.final_message ?? "")).toEqual({
    ...{ case_id: "one", variant: "with_skill", workspace: workspace.environment.workingDirectory },
    ...{ model: "openai/gpt-4.1", kwargs: { profile: "strict" }, messages, max_turns: 12, timeout_seconds: 60 },
  });
  expect(result).toMatchObject({ exit_code: 0, engine: "mine", model: "openai/gpt-4.1", turns: 1 });
  expect(result?.transcript).toEqual([...messages, { role: "assistant", content: result?.final_message }]);
});

test("what is empty or unknown is left out [custom-session-input-5] [custom-session-input-2]", async () => {
  await using workspace = await openWorkspace();
  const custom = script("reply({ final_message: Object.keys(input).join() })");
  const { result } = await runEngine(custom, {
    environment: workspace.environment,
    input: { case_id: "", max_turns: 0 },
  });
  expect(result?.final_message).toBe("workspace,messages");
});

test("any argument arrives byte for byte, whatever it contains [custom-local-3]", async () => {
  await using workspace = await openWorkspace();
  const argument = fc.string({
    unit: fc.constantFrom("a", " ", "'", '"', "$", "`", "\\", "\n", "\t", "*", "é", "😀", ";", "-", "{", "}", "%", "!"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(argument, { maxLength: 5 }), async (given) => {
      const args = given.map((text) => text.replaceAll("${", "$"));
      const custom = {
        ...{ transport: "local", response_format: "text" },
        local: {
          command: process.execPath,
          args: ["-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...args],
        },
      };
      const { result } = await runEngine(custom, { environment: workspace.environment });
      expect(JSON.parse(result?.final_message ?? "")).toEqual(args);
    }),
    { numRuns: 25 },
  );
});

test("a text of the conversation is never taken for a template [custom-templates-13] [custom-env-refs-6]", async () => {
  await using workspace = await openWorkspace();
  const custom = {
    ...{ transport: "local", response_format: "text", env: { SAID: "${prompt}" }, kwargs: { said: "${prompt}" } },
    local: {
      command: process.execPath,
      args: ["-e", "console.log(process.argv[1], process.env.SAID)", "${kwargs.said}"],
    },
  };
  const prompt = "${api_key} ${workspace} ${NOPE}";
  const input = { messages: [{ role: "user" as const, content: prompt }] };
  const { result } = await runEngine(custom, { environment: workspace.environment, input, apiKey: KEY });
  // Its own value is masked in what it prints, as every variable's is.
  expect(result?.final_message).toBe("***REDACTED*** ***REDACTED***");
  expect(await workspace.read("inputs/messages.json")).toContain(prompt);
});

test("parameters may be made of one another, ten levels deep and not in circles [custom-templates-9] [custom-templates-10] [custom-templates-12]", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const custom = script("reply({ final_message: JSON.stringify(input.kwargs) })", {
    kwargs: { id: "case ${case_id}", both: "${kwargs.id} and ${kwargs.none}!" },
  });
  const { result } = await runEngine(custom, { environment, input: { case_id: "7", kwargs: { own: "${case_id}" } } });
  expect(JSON.parse(result?.final_message ?? "")).toEqual({ id: "case 7", both: "case 7 and !", own: "${case_id}" });
  const circle = { ...custom, kwargs: { a: "${kwargs.b}", b: "${kwargs.a}" } };
  expect((await runEngine(circle, { environment })).error).toMatchObject({ code: "template.cycle" });
  const chain = (length: number) =>
    Object.fromEntries(
      Array.from({ length }, (_, index) => [`k${index}`, index === 0 ? "end" : `\${kwargs.k${index - 1}}`]),
    );
  expect((await runEngine({ ...custom, kwargs: chain(11) }, { environment })).error).toBeUndefined();
  expect((await runEngine({ ...custom, kwargs: chain(12) }, { environment })).error).toMatchObject({
    code: "template.cycle",
  });
});

test("a secret that a variable brings onto a command line is refused when it is known [custom-strict-7]", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const custom = script("reply({})", { kwargs: { note: "x" }, local: { args: ["${kwargs.note}"] } });
  for (const note of [`the key is ${KEY}`, "ghp_abcdefghijklmnopqrstuvwx"]) {
    const { error, result } = await runEngine(custom, { environment, apiKey: KEY, input: { kwargs: { note } } });
    expect(error).toMatchObject({ code: "template.secret_in_command" });
    expect(error?.message).not.toContain(note);
    expect(result).toBeUndefined();
  }
  await expect(readdir(join(workspace.root, "inputs"))).rejects.toThrow("ENOENT");
});

test("the key goes where it is referred to and nowhere else; the host's variables stay here [custom-credentials-1] [custom-credentials-2] [custom-credentials-6]", async () => {
  await using workspace = await openWorkspace();
  const { environment } = workspace;
  const body = "reply({ final_message: Object.keys(process.env).sort().join() })";
  const plain = await runEngine(script(body, { env: { MODE: "x" } }), { environment, apiKey: KEY });
  const names = (plain.result?.final_message ?? "").split(",");
  expect(names).toContain("MODE");
  expect(names).toContain("PATH");
  expect(names.filter((name) => /KEY|TOKEN|VITEST/.test(name))).toEqual([]);
  const text = await workspace.read("inputs/messages.json");
  expect(text).not.toContain(KEY);
  const keyed = await runEngine(
    script("reply({ final_message: String(process.env.K.length) })", { env: { K: "${api_key}" } }),
    { environment, apiKey: KEY },
  );
  expect(keyed.result?.final_message).toBe(String(KEY.length));
});

test("secrets are masked in all that leaves the engine [custom-masking-1] [custom-masking-2] [custom-masking-3] [custom-masking-4]", async () => {
  await using workspace = await openWorkspace();
  const custom = script(
    `const said = [process.env.A, process.env.B, process.env.C].join(" ");
     process.stderr.write(said.slice(0, 9)); process.stderr.write(said.slice(9));
     reply({ final_message: said, engine: said, model: said, stderr: said, transcript: [{ role: "assistant", content: said }],
             artifacts: { logs: said, files: [{ name: "a.txt", content: said }] } })`,
    { env: { A: "${api_key}", B: "long-value", C: "short" } },
  );
  const { result, host } = await runEngine(custom, { environment: workspace.environment, apiKey: KEY });
  const masked = "***REDACTED*** ***REDACTED*** short";
  expect(result).toMatchObject({
    ...{ final_message: masked, engine: masked, model: masked, stderr: masked, transcript: [{ content: masked }] },
    artifacts: { logs: masked, files: [{ content: masked }] },
  });
  expect(JSON.stringify(host.envelopes)).not.toContain(KEY);
  expect(
    host
      .ofType("stream_delta")
      .map(({ payload }) => payload["content"])
      .join(""),
  ).toContain("***REDACTED***");
});

test("without a result of its own a failed process tells why [custom-errors-6] [custom-errors-4]", async () => {
  await using workspace = await openWorkspace();
  const custom = script('console.error("no such model", process.env.A); process.exit(4)', { env: { A: "${api_key}" } });
  const { result, error } = await runEngine(custom, { environment: workspace.environment, apiKey: KEY });
  expect(error).toMatchObject({ code: "transport.failed" });
  expect(error?.message).toContain("custom engine command exited 4: no such model ***REDACTED***");
  expect(result).toMatchObject({ exit_code: 4, final_message: "", stderr: "no such model ***REDACTED***" });
});

describe("time", () => {
  test("the smaller limit counts, and the engine is told the one that counts [custom-timeout-1] [custom-timeout-2]", async () => {
    await using workspace = await openWorkspace();
    const { environment } = workspace;
    const custom = (timeout_seconds: number) =>
      script("reply({ final_message: String(input.timeout_seconds) })", { timeout_seconds });
    const shown = async (own: number, ofCase: number) =>
      (await runEngine(custom(own), { environment, input: { timeout_seconds: ofCase } })).result?.final_message;
    expect(await shown(100, 300)).toBe("100");
    expect(await shown(300, 100)).toBe("100");
    expect(await shown(0, 100)).toBe("100");
    expect(await shown(100, 0)).toBe("100");
    expect(await shown(0, 0)).toBe("undefined");
  });

  test("an engine that does not end is ended, with a result that says so [custom-errors-5] [custom-errors-7] [custom-process-4]", async () => {
    await using workspace = await openWorkspace();
    const custom = script(
      'process.on("SIGTERM", () => {}); console.error("still at it"); setInterval(() => {}, 1000)',
      { timeout_seconds: 1 },
    );
    const { result, error } = await runEngine(custom, { environment: workspace.environment });
    expect(error).toMatchObject({ code: "transport.timeout" });
    expect(result).toMatchObject({
      exit_code: 124,
      stderr: expect.stringContaining("still at it\nNo result: the engine was stopped"),
    });
  });

  test("the case's limit is the run's, and a result that was written in time is kept [custom-errors-6]", async () => {
    await using workspace = await openWorkspace();
    const custom = script('reply({ final_message: "half" }); setInterval(() => {}, 1000)');
    const { result, error } = await runEngine(custom, {
      environment: workspace.environment,
      input: { timeout_seconds: 1 },
    });
    expect(error).toMatchObject({ code: "run.timed_out" });
    expect(result).toMatchObject({ exit_code: 143, final_message: "half" });
  });
});

describe("stopping", () => {
  test("a cancelled run ends the engine and says why [custom-process-2]", async () => {
    await using workspace = await openWorkspace();
    const abort = new AbortController();
    const host = recordingHost();
    const running = runEngine(script('console.log("up"); setInterval(() => {}, 1000)'), {
      environment: workspace.environment,
      host,
      signal: abort.signal,
    });
    await expect.poll(() => host.types().includes("stream_delta"), { timeout: 20_000 }).toBe(true);
    abort.abort();
    expect((await running).error).toMatchObject({ code: "run.cancelled" });
  });

  test("an interrupt ends the engine and is the run's end", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const running = runEngine(script('console.log("up"); setInterval(() => {}, 1000)'), {
      environment: workspace.environment,
      host,
    });
    await expect.poll(() => host.types().includes("stream_delta"), { timeout: 20_000 }).toBe(true);
    host.interrupt({ cause: "user_cancel" });
    expect((await running).error).toMatchObject({ code: "run.interrupted" });
    expect(createInterruptLatch().source.tryReceive()).toBeUndefined();
  });
});

describe("files of the call", () => {
  test("an old result is removed, said so, and never read [custom-local-8] [custom-local-10]", async () => {
    await using workspace = await openWorkspace({ "out/result.json": '{"exit_code":0,"final_message":"old"}' });
    const custom = script("process.exit(0)", { local: { output_file: "out/result.json" } });
    const { error, host } = await runEngine(custom, { environment: workspace.environment });
    expect(error).toMatchObject({ code: "result.missing" });
    expect(host.ofType("warning")).toMatchObject([{ payload: { kind: "stale_result_cleared" } }]);
    await expect(workspace.read("out/result.json")).rejects.toThrow("ENOENT");
  });

  test("a file that nobody configured is left alone [custom-local-9] [custom-local-6]", async () => {
    const old = '{"exit_code":0,"final_message":"old"}';
    await using workspace = await openWorkspace({ "outputs/session-result.json": old });
    const custom = script('console.log(JSON.stringify({ exit_code: 0, final_message: "new" }))', {
      local: { output_file: undefined },
    });
    const { result } = await runEngine(custom, { environment: workspace.environment });
    expect(result?.final_message).toBe("new");
    expect(await workspace.read("outputs/session-result.json")).toBe(old);
  });

  test("one that is the input too is not cleared, and counts once it was changed [custom-local-11]", async () => {
    await using workspace = await openWorkspace();
    const { environment } = workspace;
    const local = { input_file: "io.json", output_file: "./io.json" };
    const kept = await runEngine(script("void 0", { local }), { environment });
    expect(kept.error).toMatchObject({ code: "result.missing" });
    const changed = await runEngine(script('reply({ final_message: "changed" })', { local }), { environment });
    expect(changed.result?.final_message).toBe("changed");
  });

  test("they are neither artifacts nor changes [custom-local-16]", async () => {
    await using workspace = await openWorkspace();
    const custom = script(
      'reply({ artifacts: { generated_files: ["inputs/messages.json", "./outputs/session-result.json", "a.md"], files: [{ name: "x", path: outputFile }] } })',
    );
    const { result, host, board } = await runEngine(custom, { environment: workspace.environment });
    expect(result?.artifacts).toEqual({ generated_files: ["a.md"], files: [] });
    expect(host.ofType("warning")).toHaveLength(3);
    expect(board.getVar("__own_files")).toEqual([
      join(workspace.root, "inputs/messages.json"),
      join(workspace.root, "outputs/session-result.json"),
    ]);
  });
});

describe("a stateful engine", () => {
  const STATEFUL = script(
    `const turn = Number(input.session_id?.split("-")[1] ?? 0) + 1;
     reply({ final_message: "answer " + turn, session_id: "session-" + turn, input_tokens: 10, duration_ms: 5,
             transcript: [...input.messages, { role: "assistant", content: "answer " + turn }],
             artifacts: { generated_files: ["turn-" + turn + ".md"] } })`,
    { conversation_mode: "stateful", effects: "idempotent" },
  );
  const messages = ["one", "two", "three"].map((content) => ({ role: "user" as const, content }));

  test("is called once for each user message, and goes on by its id", async () => {
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
      duration_ms: 15,
    });
    expect(result?.transcript?.map(({ content, turn }) => `${turn} ${content}`)).toEqual([
      ...["1 one", "1 answer 1", "2 two", "2 answer 2", "3 three", "3 answer 3"],
    ]);
    expect(result?.artifacts).toEqual({ generated_files: ["turn-1.md", "turn-2.md", "turn-3.md"] });
    expect(host.totalUsage.inputTokens).toBe(30);
  });

  test("without an id cannot go on, and the last turn needs none", async () => {
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

  test("one that is unsafe never is: nobody knows what it did [D4]", async () => {
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
