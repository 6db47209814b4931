import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { answerCall, beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { makeFolder, switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Sends the responses in order. The last one is repeated. */
function inTurn(...answers: readonly Misbehaviour[]): Misbehaviour {
  let next = 0;
  return (response, request) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    answer?.(response, request);
  };
}

const says: (text: string) => Misbehaviour = (text) => (response) => {
  beginAnswer(response);
  endAnswer(response, text);
};

const works = answerCall("shell", { command: "echo worked" });
const prints = answerCall("shell", { command: "seq 3000" });

describe("a limit on the cost", () => {
  test("ends the run once the calls of the model have cost so much", async () => {
    const { baseUrl, requests } = await startLoopbackModel(works);
    const words = ["run", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, "--max-cost", "0.00002"];
    const { exitCode, stderr } = await switchyard([...words, "Work."], { env: KEY });
    // One call costs 18 millionths of a US dollar.
    expect(requests()).toBe(2);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^error: .*cost.*\nhint: /);
  });

  test("is kept when the run resumes, until another one replaces it", async () => {
    const { baseUrl, requests } = await startLoopbackModel(inTurn(works, works, says("Done.")));
    const place = ["--base-url", baseUrl, "--state", await makeFolder()];
    const started = ["run", "--model", "anthropic/claude-sonnet-4-5", ...place, "--max-cost", "0.00002", "Work."];
    const first = await switchyard(started, { env: KEY });
    const [, id = ""] = /switchyard resume (\w+)/.exec(first.stdout) ?? [];
    const resume = async (...limit: string[]) => switchyard(["resume", id, ...place, ...limit], { env: KEY });
    expect(await resume("--max-tokens", "1000000")).toMatchObject({ stderr: expect.stringContaining("cost") });
    expect(requests()).toBe(2);
    expect(await resume("--max-cost", "1")).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Done.") });
  });

  test("has no effect if no price is known, which is reported", async () => {
    const { baseUrl, requests } = await startLoopbackModel(inTurn(works, says("Done.")));
    const words = ["run", "--model", "anthropic/nobodys-model", "--base-url", baseUrl, "--max-cost", "$1"];
    const { exitCode, stdout, stderr } = await switchyard([...words, "Work."], { env: KEY });
    expect({ exitCode, requests: requests() }).toEqual({ exitCode: 0, requests: 2 });
    expect(stdout + stderr).toContain("a price that is not known");
  });

  test("is written in dollars", async () => {
    const { exitCode, stderr } = await switchyard(["run", "--max-cost", "five", "Work."], { env: KEY });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("for example 2 or 0.50"),
    });
  });
});

test.each(["anthropic/claude-sonnet-4-5", "gemini/gemini-3-pro-preview"])(
  "a reasoning effort that %s does not know starts nothing",
  async (model) => {
    const home = await makeFolder();
    const words = [
      "run",
      "--model",
      model,
      "--base-url",
      "http://127.0.0.1:9/v1",
      "--reasoning-effort",
      "weird",
      "Hi.",
    ];
    const { exitCode, stderr } = await switchyard(words, { env: { ...KEY, HOME: home } });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^error: .*reasoning effort.* weird is not one of: none, minimal, low, medium, high/);
    expect(await readdir(home)).not.toContain("runs");
  },
);

const tooLong: Misbehaviour = (response) => {
  response.writeHead(400, { "content-type": "application/json" });
  const message = "prompt is too long: 210000 tokens > 200000 maximum";
  response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
};

/** Sends a complete response, because summaries are not streamed. */
const summarises: Misbehaviour = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = [{ type: "text", text: "THE SUMMARY" }];
  response.end(
    JSON.stringify({
      id: "m1",
      type: "message",
      role: "assistant",
      model: "m",
      content,
      stop_reason: "end_turn",
      usage,
    }),
  );
};

test("a conversation that is too long for the model is summarised, and the run continues", async () => {
  const { baseUrl, bodies } = await startLoopbackModel(inTurn(prints, works, tooLong, summarises, says(" All done.")));
  const words = ["run", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, "Work."];
  const { exitCode, stdout } = await switchyard(words, { env: KEY });
  expect(stdout).toContain("All done.");
  expect({ exitCode, requests: bodies.length }).toEqual({ exitCode: 0, requests: 5 });
  expect(bodies[4]).toContain("THE SUMMARY");
});
