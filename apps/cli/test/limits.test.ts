import { describe, expect, test } from "vitest";
import { answerCall, beginAnswer, endAnswer, type Misbehaviour, startLoopbackModel } from "./loopback-model.ts";
import { switchyard } from "./start-switchyard.ts";

const KEY = { ANTHROPIC_API_KEY: "test-key-that-is-not-real" };

/** Answers one way after the other; the last one again and again. */
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

describe("a limit on the cost", () => {
  test("ends the run once the calls of the model have cost so much", async () => {
    const { baseUrl, requests } = await startLoopbackModel(works);
    const words = ["run", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, "--max-cost", "0.00002"];
    const { exitCode, stderr } = await switchyard([...words, "Work."], { env: KEY });
    // One call costs 18 millionths.
    expect(requests()).toBe(2);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^error: .*cost.*\nhint: /);
  });

  test("does not hold where no price is known, which is said", async () => {
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

const tooLong: Misbehaviour = (response) => {
  response.writeHead(400, { "content-type": "application/json" });
  const message = "prompt is too long: 210000 tokens > 200000 maximum";
  response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } }));
};

test("a conversation that the model takes for too long is summarised, and the run goes on", async () => {
  const { baseUrl, bodies } = await startLoopbackModel(
    inTurn(works, works, tooLong, says(" THE SUMMARY"), says(" All done.")),
  );
  const words = ["run", "--model", "anthropic/claude-sonnet-4-5", "--base-url", baseUrl, "Work."];
  const { exitCode, stdout } = await switchyard(words, { env: KEY });
  expect(stdout).toContain("All done.");
  expect({ exitCode, requests: bodies.length }).toEqual({ exitCode: 0, requests: 5 });
  expect(bodies[4]).toContain("THE SUMMARY");
});
