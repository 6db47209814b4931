import { expect, test } from "vitest";
import { createPermissionAsker } from "./ask-permission.ts";

test("The text of a question contains the end of a long call", async () => {
  const asked: string[] = [];
  const ask = createPermissionAsker(
    {
      askUser: async ({ parts }) => {
        asked.push(JSON.stringify(parts));
        return { parts: [{ type: "text", text: "deny" }] };
      },
    },
    "acme",
  );
  const command = `echo ${"x".repeat(10_000)}; touch /tmp/last`;
  const request = { toolCallId: "t", toolName: "execute", toolArguments: { command }, title: "A command" };
  expect(await ask(request, new AbortController().signal)).toBe(false);
  expect(asked[0]).toContain("touch /tmp/last");
  expect(asked[0]?.length).toBeLessThan(5_000);
});
