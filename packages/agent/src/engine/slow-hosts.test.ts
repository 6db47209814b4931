import type { Client } from "@switchyard/contracts";
import { recordingHost, scriptedClient, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { tool } from "../../test/run-session.ts";
import { startRun } from "../../test/start-run.ts";

/**
 * Creates a host that needs several event loop turns for each event and counts the events that it processes
 * concurrently.
 */
function slowHost(): { host: ReturnType<typeof recordingHost>; most: () => number } {
  const host = recordingHost();
  const publish = host.publish.bind(host);
  let inHand = 0;
  let most = 0;
  host.publish = async (envelope) => {
    inHand += 1;
    most = Math.max(most, inHand);
    await new Promise((resolve) => setImmediate(resolve));
    await publish(envelope);
    inHand -= 1;
  };
  return { host, most: () => most };
}

describe("a host that takes its time", () => {
  test("receives the events of a run one after the other, in the same order as a fast host, each with a unique id", async () => {
    const types: (readonly string[])[] = [];
    for (const { host, most } of [slowHost(), { host: recordingHost(), most: () => 1 }]) {
      await using workspace = await openWorkspace();
      const steps = [toolCall("look"), toolCall("look"), text("done and told")];
      await startRun(workspace, { host, tools: [tool("look", () => "seen")], steps }).execution;
      expect(most()).toBe(1);
      expect(new Set(host.envelopes.map(({ id }) => id)).size).toBe(host.envelopes.length);
      types.push(host.envelopes.map(({ type }) => type));
    }
    expect(types[0]).toEqual(types[1]);
    expect(types[0]?.at(-1)).toBe("run_end");
  });

  test("has received all earlier events when it is asked to store a checkpoint", async () => {
    await using workspace = await openWorkspace();
    const { host } = slowHost();
    const recordCheckpoint = host.checkpoint.bind(host);
    const before: (string | undefined)[] = [];
    host.checkpoint = async (checkpoint) => {
      before.push(host.envelopes.at(-1)?.type);
      await recordCheckpoint(checkpoint);
    };
    await startRun(workspace, { host, tools: [tool("look", () => "seen")], steps: [toolCall("look"), text("done")] })
      .execution;
    expect(before).toEqual(["usage_reported", "tool_call_end"]);
  });

  test("while an answer streams in gets increments that pile up joined, and none of them lost", async () => {
    await using workspace = await openWorkspace();
    const output = "0123456789".repeat(4_000);
    const scripted = scriptedClient([text(output)], { chunkSize: 1 });
    let endAnswer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      endAnswer = resolve;
    });
    const client: Client = {
      complete: (request) => scripted.complete(request),
      async *stream(request) {
        for await (const event of scripted.stream(request)) {
          if (event.type === "finish") endAnswer();
          yield event;
        }
      },
      close: () => scripted.close(),
    };
    const host = recordingHost();
    const publish = host.publish.bind(host);
    host.publish = async (envelope) => {
      // The host is blocked from the first text event until the model has sent the complete response.
      if (envelope.type === "assistant_text_start") await answered;
      await publish(envelope);
    };
    await startRun(workspace, { host, client, steps: [] }).execution;
    const deltas = host.ofType("assistant_text_delta").map(({ payload }) => payload.content);
    expect(deltas.join("")).toBe(output);
    expect(deltas.length).toBeLessThanOrEqual(32_768);
  });

  test("that rejects an event receives the later ones", async () => {
    await using workspace = await openWorkspace();
    const host = recordingHost();
    const publish = host.publish.bind(host);
    host.publish = (envelope) => {
      if (envelope.type === "step_start") return Promise.reject(new Error("no"));
      if (envelope.type === "assistant_text_end") throw new Error("no");
      return publish(envelope);
    };
    await startRun(workspace, { host, steps: [text("done")] }).execution;
    const types = host.envelopes.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(["assistant_text_start", "usage_reported", "session_end", "run_end"]));
  });
});
