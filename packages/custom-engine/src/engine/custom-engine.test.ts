import { join } from "node:path";
import { createInterruptLatch } from "@switchyard/engine";
import { recordingHost } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { runEngine } from "../../test/run-engine.ts";
import { script } from "../../test/script-engine.ts";

const KEY = "sk-the-key-of-this-run-0123456789";

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

test("secrets are masked in everything that the engine emits [custom-masking-1] [custom-masking-2] [custom-masking-3] [custom-masking-4]", async () => {
  await using workspace = await openWorkspace();
  const custom = script(
    `const said = [process.env.A, process.env.B, process.env.C].join(" ");
     process.stderr.write(said.slice(0, 9)); process.stderr.write(said.slice(9));
     reply({ final_message: said, engine: said, model: said, stderr: said, transcript: [{ role: "assistant", content: said }],
             artifacts: { logs: said, files: [{ name: "a.txt", content: said }] } })`,
    { env: { A: "${api_key}", B: "long-value", C: "short" } },
  );
  const input = { messages: [{ role: "user" as const, content: `My key is ${KEY}.` }] };
  const { result, host } = await runEngine(custom, { environment: workspace.environment, apiKey: KEY, input });
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

test("a failed process without a result file reports the reason [custom-errors-6] [custom-errors-4]", async () => {
  await using workspace = await openWorkspace();
  const custom = script('console.error("no such model", process.env.A); process.exit(4)', { env: { A: "${api_key}" } });
  const { result, error } = await runEngine(custom, { environment: workspace.environment, apiKey: KEY });
  expect(error).toMatchObject({ code: "transport.failed" });
  expect(error?.message).toContain("custom engine command exited 4: no such model ***REDACTED***");
  expect(result).toMatchObject({ exit_code: 4, final_message: "", stderr: "no such model ***REDACTED***" });
});

describe("time", () => {
  test("the smaller limit applies, and the engine receives it [custom-timeout-1] [custom-timeout-2]", async () => {
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

  test("the limit of the case applies to the run, and a result written in time is kept [custom-errors-6]", async () => {
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
  test("a cancelled run ends the engine with the reason [custom-process-2]", async () => {
    await using workspace = await openWorkspace();
    const abort = new AbortController();
    const host = recordingHost();
    const running = runEngine(script('console.log("up"); setInterval(() => {}, 1000)'), {
      environment: workspace.environment,
      host,
      signal: abort.signal,
    });
    await expect.poll(() => host.types().includes("stream_delta")).toBe(true);
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
    await expect.poll(() => host.types().includes("stream_delta")).toBe(true);
    host.interrupt({ cause: "user_cancel" });
    expect((await running).error).toMatchObject({ code: "run.interrupted" });
    expect(createInterruptLatch().source.tryReceive()).toBeUndefined();
  });
});

describe("files of the call", () => {
  test("an old result is removed with a note, and never read [custom-local-8] [custom-local-10]", async () => {
    await using workspace = await openWorkspace({ "out/result.json": '{"exit_code":0,"final_message":"old"}' });
    const custom = script("process.exit(0)", { local: { output_file: "out/result.json" } });
    const { error, host } = await runEngine(custom, { environment: workspace.environment });
    expect(error).toMatchObject({ code: "result.missing" });
    expect(host.ofType("warning")).toMatchObject([{ payload: { kind: "stale_result_cleared" } }]);
    await expect(workspace.read("out/result.json")).rejects.toThrow("ENOENT");
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
