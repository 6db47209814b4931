import type { ExecOptions, OutputSpool } from "@switchyard/contracts";
import { inertEnvironment, text, toolCall } from "@switchyard/testkit";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../test/open-workspace.ts";
import { collect, createSession, dataOf, tool } from "../../test/run-session.ts";

/** Creates a spool that stores outputs in memory and records the size of its longest chunk. */
function memorySpool(): OutputSpool & { readonly stored: Map<string, string>; longestPiece: number } {
  const stored = new Map<string, string>();
  const spool = {
    stored,
    longestPiece: 0,
    open: (callId: string) => {
      stored.set(callId, "");
      return {
        write: (piece: string) => {
          spool.longestPiece = Math.max(spool.longestPiece, piece.length);
          stored.set(callId, (stored.get(callId) ?? "") + piece);
        },
        finish: async () => ({
          path: `outputs/${callId}.txt`,
          bytes: Buffer.byteLength(stored.get(callId) ?? ""),
          truncated: false,
        }),
      };
    },
  };
  return spool;
}

const BIG = Array.from({ length: 60_000 }, (_, index) => `line ${index}`).join("\n");

describe("an output that is too large for an event [loop-2.9-10]", () => {
  test("of any tool is stored completely, and the end event contains head, tail and the reference", async () => {
    await using workspace = await openWorkspace();
    const spool = memorySpool();
    const { session } = createSession(workspace, {
      outputSpool: spool,
      tools: [tool("big", () => BIG)],
      steps: [toolCall("big", {}, { id: "one" }), text("done")],
    });
    const [end] = dataOf(await collect(session.submit("go")), "tool_call_end");
    expect(spool.stored.get("one")).toBe(BIG);
    expect(end?.output_ref).toEqual({ path: "outputs/one.txt", bytes: BIG.length, truncated: false });
    expect(end?.content.length).toBeLessThan(256 * 1024);
    expect(end?.content.startsWith("line 0\n")).toBe(true);
    expect(end?.content.endsWith("line 59999")).toBe(true);
    const turn = session.history[2];
    // The output for the model is truncated from the complete output, not from the excerpt in the event.
    const seen = turn?.type === "tool_results" ? turn.results[0]?.content : undefined;
    const removed = Number(/(\d+) characters were removed/.exec(seen ?? "")?.[1]);
    expect(removed).toBeGreaterThan(BIG.length - 30_000);
  });

  test("is closed also when the command fails to run to its end", async () => {
    let finished = 0;
    const finish = async (): Promise<never> => {
      finished += 1;
      throw new Error("the disk is full");
    };
    const spool = { open: () => ({ write: () => {}, finish }) };
    await using workspace = await openWorkspace();
    const environment = {
      ...inertEnvironment(),
      shell: async (_: string, options: ExecOptions = {}) => {
        options.onOutput?.({ stream: "stdout", text: BIG });
        throw new Error("the machine is gone");
      },
    };
    const { session } = createSession(workspace, {
      environment,
      outputSpool: spool,
      steps: [toolCall("shell", { command: "x" }), text("done")],
    });
    const [end] = dataOf(await collect(session.submit("go")), "tool_call_end");
    expect([end?.is_error, end?.content]).toEqual([true, expect.stringContaining("the machine is gone")]);
    expect(finished).toBe(1);
  });

  test("of a command is written as it arrives, never in one piece", async () => {
    await using workspace = await openWorkspace();
    const spool = memorySpool();
    const { session } = createSession(workspace, {
      outputSpool: spool,
      steps: [toolCall("shell", { command: "seq 1 400000" }, { id: "one" }), text("done")],
    });
    const events = await collect(session.submit("go"));
    const [end] = dataOf(events, "tool_call_end");
    const output = Array.from({ length: 400_000 }, (_, index) => `${index + 1}\n`).join("");
    expect(spool.stored.get("one")).toBe(output);
    expect(spool.longestPiece).toBeLessThan(512 * 1024);
    expect(end?.output_ref).toMatchObject({ bytes: output.length });
    expect(end?.content).toMatch(/400000\n.*\[Exit code: 0\./s);
    // Live increments are limited to the amount that may wait for a slow reader.
    const shown = dataOf(events, "tool_call_output_delta").reduce((sum, { content }) => sum + content.length, 0);
    expect(shown).toBeLessThan(1_300_000);
  });

  test("stays in the event if it fits, and no file is opened for it", async () => {
    await using workspace = await openWorkspace();
    const spool = memorySpool();
    const fits = "ü".repeat(128 * 1024);
    const { session } = createSession(workspace, {
      outputSpool: spool,
      tools: [tool("fits", () => fits)],
      steps: [toolCall("fits"), toolCall("shell", { command: "seq 1 20000" }), text("done")],
    });
    const ends = dataOf(await collect(session.submit("go")), "tool_call_end");
    expect(ends[0]?.content).toBe(fits);
    expect(ends.map((end) => end.output_ref)).toEqual([undefined, undefined]);
    expect(spool.stored.size).toBe(0);
  });

  test("stays in the event if outputs are not stored or storing fails, which is reported", async () => {
    await using workspace = await openWorkspace();
    const full = new Error("no space left on device");
    const broken: OutputSpool = { open: () => ({ write: () => {}, finish: () => Promise.reject(full) }) };
    for (const outputSpool of [undefined, broken]) {
      const { session } = createSession(workspace, {
        outputSpool,
        tools: [tool("big", () => BIG)],
        steps: [toolCall("big"), toolCall("shell", { command: "seq 1 400000" }), text("done")],
      });
      const events = await collect(session.submit("go"));
      const [end, command] = dataOf(events, "tool_call_end");
      expect(end?.content).toBe(BIG);
      expect(end).not.toHaveProperty("output_ref");
      const warnings = dataOf(events, "warning").filter(({ kind }) => kind === "output_not_kept");
      expect(warnings).toHaveLength(outputSpool === undefined ? 0 : 2);
      expect(command?.is_error).toBe(false);
      expect(command?.content.includes("could not be stored: no space left")).toBe(outputSpool !== undefined);
    }
  });

  test("is cut between characters, not inside of them", async () => {
    await using workspace = await openWorkspace();
    for (const start of ["", "x"]) {
      const { session } = createSession(workspace, {
        outputSpool: memorySpool(),
        tools: [tool("big", () => start + "😀".repeat(200_000))],
        steps: [toolCall("big"), text("done")],
      });
      const [end] = dataOf(await collect(session.submit("go")), "tool_call_end");
      expect(end?.content).not.toMatch(/\p{Surrogate}/u);
    }
  });
});
