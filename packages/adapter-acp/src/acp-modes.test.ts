import { fileURLToPath } from "node:url";
import { blockWithMode, createAdapterRegistry } from "@switchyard/adapter-kit";
import { describe, expect, test } from "vitest";
import { type Noted, runAcp, runRecording } from "../test/run-acp.ts";
import { acpKinds } from "./index.ts";

const SDK_AGENT = fileURLToPath(new URL("../test/sdk-agent.mjs", import.meta.url));
const registry = createAdapterRegistry(acpKinds);
const MODES = ["plan", "ask", "auto"] as const;

/** The modes that the agent received, and the responses to its permission requests. */
function requestedModes(noted: readonly Noted[]): { mode: unknown; option: unknown } {
  const params = noted.find(({ method }) => method === "session/set_mode")?.params;
  const option = noted.find(
    ({ method, params }) => method === "session/set_config_option" && params?.["configId"] === "mode",
  );
  return { mode: params?.["modeId"], option: option?.params?.["value"] };
}

describe("permission modes", () => {
  test.each([
    ["acp:gemini", "gemini-0.61.0", { plan: "plan", ask: undefined, auto: "yolo" }],
    ["acp:codex-acp", "codex-acp-2.6.0", { plan: "read-only", ask: "read-only", auto: "agent-full-access" }],
  ] as const)("%s receives them by the protocol [adapter-capabilities-3]", async (kind, recording, expected) => {
    for (const mode of MODES) {
      const config = blockWithMode(registry.get(kind), { allowed_kinds: ["execute"] }, mode);
      const { noted, error } = await runRecording(recording, "text", { kind, config });
      expect(error).toBeUndefined();
      expect(requestedModes(noted)).toEqual({ mode: expected[mode], option: undefined });
    }
  });

  test("acp:opencode receives them as an option, and asks before every change [adapter-capabilities-3]", async () => {
    const kind = "acp:opencode";
    for (const [mode, expected] of [
      ["plan", "plan"] as const,
      ["ask", undefined] as const,
      ["auto", undefined] as const,
    ]) {
      const config = blockWithMode(registry.get(kind), { mode: "plan" }, mode);
      const { noted, error } = await runRecording("opencode-1.18.33", "text", { kind, config });
      expect(error).toBeUndefined();
      expect(requestedModes(noted)).toEqual({ mode: undefined, option: expected });
    }
  });

  test("an agent that requests no permission writes nothing without the user, except in auto [adapter-permissions-1]", async () => {
    const kind = "acp:copilot";
    for (const mode of MODES) {
      const config = blockWithMode(registry.get(kind), { read_only: true }, mode);
      const input = { messages: [{ role: "user" as const, content: "writes" }] };
      const { files, noted, host, error } = await runAcp([SDK_AGENT], { kind, config, input });
      expect(error).toBeUndefined();
      expect(files).toEqual(mode === "auto" ? { "b.txt": "two" } : {});
      const refused = noted.filter((one) => "unwritten" in one);
      expect(refused).toHaveLength(mode === "auto" ? 0 : 1);
      expect(JSON.stringify(host.envelopes).includes("a permission was refused: write ")).toBe(mode !== "auto");
    }
  });

  test("an unknown agent has no known modes: a mode is refused, and never mapped to another", () => {
    for (const mode of MODES) {
      expect(() => blockWithMode(registry.get("acp"), { command: "agent --acp" }, mode)).toThrow(
        `acp has no setting with the meaning of ${mode}`,
      );
    }
  });

  test("a mode that the agent does not have is refused with those it has", async () => {
    const config = { mode: "superuser" };
    const { error } = await runRecording("opencode-1.18.33", "text", { kind: "acp:opencode", config });
    expect(error).toMatchObject({ code: "config.invalid" });
    expect(error?.message).toContain("it has build, plan");
  });
});
