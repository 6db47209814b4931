import { type Message, textOf } from "@switchyard/contracts";
import { inertEnvironment } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { call, familyClient, textParts } from "../../test/family-client.ts";
import { familySession } from "../../test/family-session.ts";
import { collect, tool } from "../../test/run-session.ts";
import { createAnthropicProfile, Session, type SessionEvent, type SessionSnapshot } from "../index.ts";

const SCRIPTS = {
  go: [
    call(["spawn_agent", { task: "child" }], ["echo", {}]),
    call(["wait", { agent_id: "agent-1" }]),
    call(["send_input", { agent_id: "agent-1", message: "and the rest" }]),
    call(["wait", { agent_id: "agent-1" }]),
    textParts("all done"),
  ],
  child: [
    call(["spawn_agent", { task: "grandchild" }]),
    call(["wait", { agent_id: "agent-1-1" }]),
    textParts("half of it"),
    textParts("all of it"),
  ],
  grandchild: [call(["echo", {}]), textParts("that is it")],
};

const SETUP = {
  environment: inertEnvironment(),
  config: { maxSubagentDepth: 2 },
  tools: [{ ...tool("echo", () => "echoed"), effects: "readonly" as const }],
};

/** Returns the reasons for which a provider would reject the messages: no user message, or calls without results. */
function problemsOf(messages: readonly Message[]): string[] {
  const idsOf = ({ parts }: Message): string[] =>
    parts.flatMap((part) =>
      part.type === "tool_call" ? [part.id] : part.type === "tool_result" ? [part.toolCallId] : [],
    );
  const problems = messages.some(({ role }) => role === "user") ? [] : ["nothing is asked"];
  messages.forEach((message, index) => {
    const behind = messages[index + 1];
    const given = behind?.role === "tool" ? idsOf(behind) : [];
    if (message.role === "assistant" && `${idsOf(message)}` !== `${given}`) problems.push(`calls of ${index}`);
  });
  return problems;
}

/** Runs a session with subagents and saves it when it has emitted the given number of events. */
async function savedAt(number: number): Promise<{ event: SessionEvent; snapshot: SessionSnapshot } | undefined> {
  const { session } = familySession({ ...SETUP, scripts: SCRIPTS });
  let said = 0;
  let saved: { event: SessionEvent; snapshot: SessionSnapshot } | undefined;
  session.listen((event) => {
    if (said === number) saved = { event, snapshot: session.save() };
    said += 1;
  });
  session.submit("go");
  await session.settled();
  await session.close();
  return saved;
}

test("saved at any event and loaded, a family sends requests that every provider accepts and has the same outcome [loop-2.9-3]", async () => {
  let cuts = 0;
  for (let number = 0; ; number += 1) {
    const saved = await savedAt(number);
    if (saved === undefined) break;
    cuts += 1;
    const client = familyClient({ scripts: SCRIPTS });
    const options = { ...SETUP, client, profile: createAnthropicProfile({ model: "claude" }) };
    await using session = Session.load(JSON.parse(JSON.stringify(saved.snapshot)), options);
    const at = `${number}: ${saved.event.agentId ?? ""} ${saved.event.type}`;
    if (saved.snapshot.state !== "processing") continue;
    await collect(session.resume());
    const problems = client.requests.flatMap(({ request }) => problemsOf(request.messages));
    expect([at, problems, session.history[0]]).toEqual([at, [], expect.objectContaining({ content: "go" })]);
    expect([at, session.history.at(-1)]).toEqual([at, expect.objectContaining({ content: "all done" })]);
    for (const { session: child } of session.subagents.values()) {
      expect([at, child.history[0]]).toEqual([at, expect.objectContaining({ content: "child" })]);
    }
  }
  expect(cuts).toBeGreaterThan(40);
});

test("no steering message is lost if a session is saved while it is injected [loop-2.6-1]", async () => {
  const { session } = familySession({ ...SETUP, scripts: { go: [textParts("done")] } });
  let snapshot: SessionSnapshot | undefined;
  session.listen(({ type }) => {
    if (type === "steering_injected") snapshot ??= session.save();
  });
  session.steer("first");
  session.steer("second");
  await collect(session.submit("go"));
  const client = familyClient({ scripts: { go: [textParts("done")] } });
  const profile = createAnthropicProfile({ model: "claude" });
  await using loaded = Session.load(snapshot, { ...SETUP, client, profile });
  await collect(loaded.resume());
  const heard = client.requests[0]?.request.messages.filter(({ role }) => role === "user").map(textOf);
  expect(heard).toEqual(["go", "first", "second"]);
});
