import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runIds } from "./always-resume.ts";
import { beginAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, startSwitchyard, switchyard } from "./start-switchyard.ts";

const KEYS = { OPENAI_COMPATIBLE_API_KEY: "k", ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k" };
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function chunk(response: ServerResponse, delta: object, finish: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  response.write(`data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", choices })}\n\n`);
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
}

function end(response: ServerResponse, finish: string): void {
  chunk(response, {}, finish);
  response.write(`data: ${JSON.stringify({ id: "c1", choices: [], usage: USAGE })}\n\n`);
  response.end("data: [DONE]\n\n");
}

function says(text: string, finish = "stop"): Misbehaviour {
  return (response) => {
    begin(response);
    chunk(response, { role: "assistant", content: text });
    end(response, finish);
  };
}

function callDelta(id: string, args: string): object {
  const call = { index: 0, id, type: "function", function: { name: "shell", arguments: args } };
  return { role: "assistant", tool_calls: [call] };
}

function calls(id: string, command: string, finish = "tool_calls"): Misbehaviour {
  return (response) => {
    begin(response);
    chunk(response, callDelta(id, JSON.stringify({ command })));
    end(response, finish);
  };
}

/** Starts a response with some deltas and closes the connection. */
function breaksAfter(...deltas: object[]): Misbehaviour {
  return (response) => {
    begin(response);
    for (const delta of deltas) chunk(response, delta);
    setImmediate(() => response.destroy());
  };
}

function fails(status: number, body: object, headers: Record<string, string> = {}): Misbehaviour {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Sends the responses in order. The last one is repeated. */
function inTurn(...answers: readonly Misbehaviour[]): Misbehaviour {
  let next = 0;
  return (response, request) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    answer?.(response, request);
  };
}

const COMPATIBLE = "openai-compatible/m";

async function run(answer: Misbehaviour, words: readonly string[] = [], model = COMPATIBLE) {
  const server = await startLoopbackModel(answer);
  const [state, cwd] = [await makeFolder(), await makeFolder()];
  const typed = ["run", "--model", model, "--base-url", server.baseUrl, "--state", state, "--mode", "auto"];
  const ended = await switchyard([...typed, "--env", "local", "--events", "jsonl", ...words, "hello"], {
    env: KEYS,
    cwd,
  });
  const events: readonly { type: string; payload: Record<string, unknown>; report?: unknown; result?: unknown }[] =
    ended.stdout
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  const [id = ""] = await runIds(join(state, "runs"));
  const recording = await readFile(join(state, "runs", id, "recording.jsonl"), "utf8").catch(() => "");
  return { ...ended, server, events, last: events.at(-1), cwd, state, recording };
}

const retriesIn = (events: readonly { type: string; payload: Record<string, unknown> }[]) =>
  events.filter(({ type }) => type === "model_call_retried").map(({ payload }) => payload);

const OVERLOADED = fails(529, { error: { message: "overloaded" } });
const PARTIAL = { role: "assistant", content: "partial-words " };

describe("a turn whose response fails is retried", () => {
  test.each<[string, Misbehaviour]>([
    ["in its text", breaksAfter(PARTIAL)],
    ["in its reasoning", breaksAfter({ role: "assistant", reasoning_content: "partial-words" })],
    ["in the arguments of a tool call", breaksAfter(callDelta("c9", '{"command":"echo partial-words >> log'))],
    [
      "by an error event after some text",
      (response) => {
        begin(response);
        chunk(response, PARTIAL);
        response.end(`data: ${JSON.stringify({ error: { message: "upstream", code: 502 } })}\n\n`);
      },
    ],
    ["before its first byte", (response) => response.destroy()],
    ["with 408", fails(408, { error: { message: "timeout" } })],
    ["with a 400 of the provider behind", fails(400, { error: { message: "Provider returned error", code: 400 } })],
  ])("%s: earlier calls ran once, and nothing of it is left", async (_, failure) => {
    const answers = [calls("c1", "echo once >> log"), failure, says("All done.")];
    const { exitCode, events, last, cwd, server, recording } = await run(inTurn(...answers));
    expect(exitCode).toBe(0);
    expect(last).toMatchObject({ result: { exit_code: 0, final_message: "All done.", finish_reason: "stop" } });
    expect(await readFile(join(cwd, "log"), "utf8")).toBe("once\n");
    expect(server.requests()).toBe(3);
    expect(server.bodies.at(-1)).not.toContain("partial-words");
    expect(recording).not.toContain("partial-words");
    expect(recording.trim().split("\n")).toHaveLength(3);
    expect(retriesIn(events)).toMatchObject([{ attempt: 1, level: "turn", max_wait_ms: 600_000 }]);
  });

  test("four times 529, then the run is completed", async () => {
    const down = fails(529, { error: { message: "overloaded" } }, { "retry-after": "0.1" });
    const { exitCode, events } = await run(inTurn(down, down, down, down, says("All done.")));
    expect(exitCode).toBe(0);
    expect(retriesIn(events)).toHaveLength(4);
  });

  test("`retry-after` is obeyed up to the total wait; a longer one fails at once", async () => {
    const { exitCode, server, events } = await run(
      fails(429, { error: { message: "slow down" } }, { "retry-after": "90" }),
      ["--retry-for", "60s"],
    );
    expect([exitCode, server.requests(), retriesIn(events).length]).toEqual([3, 1, 0]);
  });

  test("the total wait comes from the option, the settings or the input, and 0 switches retries off", async () => {
    const short = await run(OVERLOADED, ["--retry-for", "1s"]);
    expect([short.exitCode, retriesIn(short.events).at(-1)?.["waited_ms"]]).toEqual([3, 1_000]);
    const off = await run(OVERLOADED, ["--retry-for", "0"]);
    expect([off.exitCode, off.server.requests()]).toEqual([3, 1]);
    const folder = await makeFolder({
      "case.json": JSON.stringify({ messages: [{ role: "user", content: "hi" }], retry_for_seconds: 0 }),
    });
    const server = await startLoopbackModel(OVERLOADED);
    const typed = ["run", "--model", COMPATIBLE, "--base-url", server.baseUrl, "--input", join(folder, "case.json")];
    await switchyard([...typed, "--env", "local", "--state", await makeFolder()], { env: KEYS });
    expect(server.requests()).toBe(1);
  });

  test("`--timeout` counts the wait", async () => {
    const { exitCode, last } = await run(fails(503, {}, { "retry-after": "60" }), ["--timeout", "1s"]);
    expect(exitCode).toBe(3);
    expect(last).toMatchObject({ report: { status: "timed_out" } });
  });

  test("a failure that the turn has retried to its end is not tried again by the run", async () => {
    const { server, events } = await run(OVERLOADED, ["--retry-for", "1s", "--max-attempts", "3"]);
    expect(server.requests()).toBe(retriesIn(events).length + 1);
    expect(events.filter(({ type }) => type === "retry_scheduled")).toEqual([]);
  });

  test.each<[string, Misbehaviour]>([
    ["401", fails(401, { error: { message: "bad key" } })],
    ["403", fails(403, { error: { message: "denied" } })],
    ["404", fails(404, { error: { message: "no such model" } })],
    [
      "a used-up quota",
      fails(429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }),
    ],
    [
      "a web page with 200",
      (response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end("<html><body>Welcome</body></html>");
      },
    ],
  ])("not at all if that cannot help: %s", async (_, answer) => {
    const { exitCode, server } = await run(answer);
    expect([exitCode, server.requests()]).toEqual([3, 1]);
  });

  test("a run killed during the wait resumes and executes nothing twice", async () => {
    const answers = [
      calls("c1", "echo once >> log"),
      fails(503, { error: { message: "down" } }, { "retry-after": "300" }),
      says("All done."),
    ];
    const server = await startLoopbackModel(inTurn(...answers));
    const [state, cwd] = [await makeFolder(), await makeFolder()];
    const typed = ["run", "--model", COMPATIBLE, "--base-url", server.baseUrl, "--state", state, "--mode", "auto"];
    const { command } = await startSwitchyard([...typed, "--env", "local", "--events", "jsonl", "hello"], {
      env: KEYS,
      cwd,
    });
    for await (const line of command) if (line.includes('"model_call_retried"')) command.kill("SIGKILL");
    const [id = ""] = await runIds(join(state, "runs"));
    const { exitCode } = await switchyard(["resume", id, "--state", state], { env: KEYS, cwd });
    expect(exitCode).toBe(0);
    expect(await readFile(join(cwd, "log"), "utf8")).toBe("once\n");
  });
});

describe("a response that is not a result", () => {
  test.each<[string, Misbehaviour, RegExp]>([
    ["empty", says(""), /^The last response was empty\.$/u],
    ["announced calls", says("I call it.", "tool_calls"), /announced tool calls and contained none/u],
    ["insufficient_system_resource", says("x", "insufficient_system_resource"), /ended with an error/u],
  ])("is retried with the problem reported, then exit code 1: %s", async (_, answer, reason) => {
    const { exitCode, last, server } = await run(answer);
    expect([exitCode, server.requests()]).toEqual([1, 3]);
    expect(server.bodies.at(-1)).toContain("Your last response");
    expect(last).toMatchObject({ result: { exit_code: 1, stderr: expect.stringMatching(reason) } });
    const once = await run(inTurn(answer, says("All done.")));
    expect([once.exitCode, once.server.requests()]).toEqual([0, 2]);
  });

  test("that was cut off is continued, and ends with exit code 1 if it never ends", async () => {
    const { exitCode, last } = await run(inTurn(says("One, ", "length"), says("two.")));
    expect(exitCode).toBe(0);
    expect(last).toMatchObject({ result: { final_message: "One, two.", finish_reason: "stop" } });
    const cut = await run(says("On and on ", "length"));
    expect([cut.exitCode, cut.server.requests()]).toEqual([1, 4]);
    expect(cut.last).toMatchObject({ result: { finish_reason: "length" } });
  });

  test("a tool call that was cut off is never executed", async () => {
    const answers = [calls("c1", "echo cut >> log", "length"), calls("c2", "echo whole >> log"), says("All done.")];
    const { exitCode, cwd } = await run(inTurn(...answers));
    expect([exitCode, await readFile(join(cwd, "log"), "utf8")]).toEqual([0, "whole\n"]);
  });

  test.each(["stop", "eos", "eos_token", "STOP", "end_turn"])("finish reason %s is a success", async (finish) => {
    expect((await run(says("All done.", finish))).exitCode).toBe(0);
  });

  test.each(["content_filter", "sensitive", "refusal", "SAFETY"])(
    "%s ends the run with exit code 1",
    async (finish) => {
      const { exitCode, last, server } = await run(says("No.", finish));
      expect([exitCode, server.requests()]).toEqual([1, 1]);
      expect(last).toMatchObject({
        result: { exit_code: 1, finish_reason: "content_filter", stderr: expect.stringContaining("content filter") },
      });
    },
  );
});

function gemini(candidate: object): Misbehaviour {
  return (response) => {
    begin(response);
    response.end(`data: ${JSON.stringify(candidate)}\n\n`);
  };
}

function geminiEnds(finishReason: string, text = "Hm."): Misbehaviour {
  return gemini({ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason }] });
}

describe("Gemini's finish reasons", () => {
  test.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "OTHER"])("%s is retried", async (finishReason) => {
    const fine = geminiEnds("STOP", "All done.");
    const { exitCode, server } = await run(inTurn(geminiEnds(finishReason), fine), [], "gemini/gemini-2.5-pro");
    expect([exitCode, server.requests()]).toEqual([0, 2]);
    expect(server.bodies.at(-1)).toContain(finishReason);
    const never = await run(geminiEnds(finishReason), [], "gemini/gemini-2.5-pro");
    expect([never.exitCode, never.server.requests()]).toEqual([1, 3]);
    expect(never.last).toMatchObject({ result: { finish_reason: "error" } });
  });

  test.each<[string, Misbehaviour]>([
    ["SAFETY", geminiEnds("SAFETY")],
    ["a blocked prompt", gemini({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } })],
    ["a prompt blocked for another reason", gemini({ promptFeedback: { blockReason: "OTHER" } })],
  ])("%s ends the run with exit code 1", async (_, answer) => {
    const { exitCode, last } = await run(answer, [], "gemini/gemini-2.5-pro");
    expect(exitCode).toBe(1);
    expect(last).toMatchObject({ result: { finish_reason: "content_filter" } });
  });
});

/** Sends one streamed response in Anthropic's format. */
function anthropic(text: string, stopReason: string): Misbehaviour {
  return (response) => {
    begin(response);
    const send = (event: { type: string; [field: string]: unknown }): void => {
      response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    };
    const usage = { input_tokens: 1, output_tokens: 0 };
    const message = { id: "m1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage };
    send({ type: "message_start", message });
    send({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    send({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
    send({ type: "content_block_stop", index: 0 });
    send({ type: "message_delta", delta: { stop_reason: stopReason }, usage: { output_tokens: 1 } });
    send({ type: "message_stop" });
    response.end();
  };
}

test("the usage that a failed attempt has reported counts once", async () => {
  const { exitCode, last } = await run(
    inTurn(
      (response) => {
        beginAnswer(response);
        setImmediate(() => response.destroy());
      },
      anthropic("All done.", "end_turn"),
    ),
    [],
    "anthropic/m",
  );
  expect(exitCode).toBe(0);
  expect(last).toMatchObject({ result: { input_tokens: 2, turns: 1 }, report: { usage: { inputTokens: 2 } } });
});

test("Anthropic's refusal ends with exit code 1; a paused or cut off response is continued", async () => {
  const refused = await run(anthropic("I cannot.", "refusal"), [], "anthropic/m");
  expect(refused.exitCode).toBe(1);
  expect(refused.last).toMatchObject({ result: { finish_reason: "content_filter" } });
  for (const reason of ["pause_turn", "max_tokens", "model_context_window_exceeded"]) {
    const answers = [anthropic("One, ", reason), anthropic("two.", "end_turn")];
    const { exitCode, last } = await run(inTurn(...answers), [], "anthropic/m");
    expect(exitCode, reason).toBe(0);
    expect(last, reason).toMatchObject({ result: { final_message: "One, two." } });
  }
});
