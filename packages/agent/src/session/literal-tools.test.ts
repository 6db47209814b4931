import type { RegisteredTool } from "@switchyard/contracts";
import { text, toolCall } from "@switchyard/testkit";
import { expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool } from "../../test/run-session.ts";

/** Creates a tool whose definition is a new object each time. */
function literalTool(): RegisteredTool {
  const property = (index: number) => [`p${index}`, { type: "string", minLength: 1, pattern: "^[a-z]+$" }] as const;
  const properties = Object.fromEntries(Array.from({ length: 30 }, (_, index) => property(index)));
  const parameters = { type: "object", properties, required: ["p0"] };
  return { ...tool("probe", () => "probed"), definition: { name: "probe", description: "Probes.", parameters } };
}

test("100 sessions with literal tool definitions cost less than twice as much as sessions with shared ones", async () => {
  await using workspace = await openWorkspace();
  const runOne = async (probe: RegisteredTool): Promise<void> => {
    const steps = [toolCall("probe", { p0: "a" }), text("done")];
    const { session } = createSession(workspace, { tools: [probe], steps });
    const events = await collect(session.submit("go"));
    expect(dataOf(events, "tool_call_end")).toMatchObject([{ is_error: false }]);
    await session.close();
  };
  const cpuOf = async (tools: readonly RegisteredTool[]): Promise<number> => {
    const begin = process.cpuUsage();
    for (const one of tools) await runOne(one);
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  };
  const shared = literalTool();
  // Warm up: the code is compiled and optimised before the measurement starts.
  await cpuOf([...Array(25).fill(shared), ...Array.from({ length: 25 }, literalTool)]);
  const sharedCpu = await cpuOf(Array(100).fill(shared));
  const literalCpu = await cpuOf(Array.from({ length: 100 }, literalTool));
  expect(literalCpu / sharedCpu).toBeLessThan(2);
});

test("a schema that can only be checked in part is a warning of each session, once, with the tool and its owner", async () => {
  await using workspace = await openWorkspace();
  const parameters = { type: "object", properties: { to: { type: "string", pattern: "^(?!x)", maxLength: 3 } } };
  const source = "the MCP server demo";
  const send: RegisteredTool = {
    ...tool("demo__send", () => "sent"),
    definition: { name: "demo__send", description: "Sends.", parameters, source },
  };
  for (let session = 0; session < 2; session++) {
    const calls = ["abc", "x", "abcd"].map((to) => toolCall("demo__send", { to }));
    const { session: opened } = createSession(workspace, { tools: [send], steps: [...calls, text("done")] });
    const events = await collect(opened.submit("go"));
    expect(dataOf(events, "tool_call_end").map(({ is_error }) => is_error)).toEqual([false, false, true]);
    expect(dataOf(events, "warning")).toEqual([
      {
        kind: "tool_schema_unchecked",
        message:
          'Arguments of the tool demo__send of the MCP server demo are checked in part only. Not checked: /properties/to/pattern: "^(?!x)" cannot be checked in linear time.',
      },
    ]);
  }
});
