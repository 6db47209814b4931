// Records model calls, replays them, and fails at the first difference.
import assert from "node:assert/strict";
import type { Client, ModelRequest } from "@switchyard/contracts";
import { EngineError, textMessage, textOf } from "@switchyard/contracts";
import { createReplayClient, parseCassette, withRecorder } from "@switchyard/llm/cassette";
import { scriptedClient, text } from "@switchyard/testkit";

/** The part of a program that calls a model. `client` may be a real client. */
async function summarise(client: Client, document: string): Promise<string> {
  const request: ModelRequest = { model: "any-model", messages: [textMessage("user", `Summarise: ${document}`)] };
  const response = await client.complete(request);
  return textOf(response.message);
}

const lines: string[] = [];
const recorder = withRecorder(scriptedClient([text("It is about trains.")]), { write: (line) => lines.push(line) });
assert.equal(await summarise(recorder, "A yard where trains are switched."), "It is about trains.");

const cassette = parseCassette(`${lines.join("\n")}\n`);
const replay = createReplayClient(cassette, { mode: "strict" });
assert.equal(await summarise(replay, "A yard where trains are switched."), "It is about trains.");
replay.assertFinished();

const changed = createReplayClient(cassette, { mode: "strict" });
await assert.rejects(summarise(changed, "A yard where ships are built."), (error) => {
  assert.ok(error instanceof Error);
  console.log(error.message);
  return EngineError.is(error, "cassette.mismatch");
});
