import assert from "node:assert/strict";
import { findEngineError, messageOf } from "@switchyard/contracts";
import type { CaseBody } from "../contract/define-contract.ts";
import { outcomeOf } from "../contract/expectations.ts";
import { type AdapterBench, completedOf, ofType, runSession, WORKS } from "./adapter-bench.ts";
import type { AgentStep } from "./agent-script.ts";

const EARLIER = "0f8e3b6a-1c1d-4c0e-9f6e-7a5d4c3b2a10";
const WRONG_CONFIGS: readonly Readonly<Record<string, unknown>>[] = [
  { turn_timeout_ms: "soon" },
  { env: "CONTRACT_NAMED" },
  { stop_grace_ms: -1 },
];

/** Conformance cases for the capabilities that an adapter declares for itself and its agent. */
export const claimCases: readonly CaseBody<AdapterBench>[] = [
  {
    id: "adapter/capabilities",
    requirement: ["adapter-capabilities-1"],
    title: "Declares its kind, whether it reports token usage, how it resumes sessions and how tool permissions work",
    async check(bench) {
      const { kind, capabilities } = (await bench.open()).adapter;
      assert.ok(kind.trim() !== "", "The adapter's kind is empty.");
      const { usage, resume, permissions, mcp } = capabilities;
      const allowed = { usage: ["incremental", "turn_end", "none"], resume: ["id", "folder", "none"] };
      assert.ok(
        allowed.usage.includes(usage),
        `capabilities.usage is ${usage}, expected one of ${allowed.usage.join(", ")}.`,
      );
      assert.ok(
        allowed.resume.includes(resume),
        `capabilities.resume is ${resume}, expected one of ${allowed.resume.join(", ")}.`,
      );
      assert.ok(typeof permissions === "string" && permissions.trim() !== "", "capabilities.permissions is empty.");
      assert.equal(typeof mcp, "boolean", "capabilities.mcp is neither true nor false");
    },
  },
  {
    id: "adapter/config-wrong",
    requirement: ["adapter-passthrough-config-1", "adapter-passthrough-config-3"],
    title: "Rejects settings of a wrong type with config.invalid before any turn, or uses their defaults",
    async check(bench) {
      for (const config of WRONG_CONFIGS) {
        const opened = await outcomeOf(() => bench.open({ config }));
        if ("value" in opened) completedOf(await runSession(opened.value));
        else {
          const found = findEngineError(opened.error)?.code;
          const message = `With ${JSON.stringify(config)} the factory failed: ${messageOf(opened.error)}`;
          assert.equal(found, "config.invalid", message);
        }
      }
    },
  },
  {
    id: "adapter/usage-claimed",
    requirement: ["adapter-usage-1", "adapter-capabilities-1"],
    title: "Reports token usage as declared: the tokens used, or none",
    async check(bench) {
      const tokens = { inputTokens: 10, outputTokens: 2 };
      const used: readonly AgentStep[] = [
        { do: "usage", id: "request-1", ...tokens },
        { do: "end", kind: "success", ...tokens },
      ];
      const run = await bench.run({ turns: [[...WORKS.slice(0, 2), ...used]] });
      const turn = completedOf(run);
      const { usage } = run.subject.adapter.capabilities;
      const reported = { isReported: ofType(turn, "token_usage").length > 0, total: turn.result.usage.totalTokens };
      const expected = usage === "none" ? { isReported: false, total: 0 } : { isReported: true, total: 12 };
      assert.deepEqual(reported, expected, `capabilities.usage is ${usage}, but the reported tokens do not match`);
    },
  },
  {
    id: "adapter/resume-claimed",
    requirement: ["adapter-resume-2", "adapter-resume-4", "adapter-capabilities-1"],
    title: "Resumes conversations as declared: by session id, by folder after a successful turn, or never",
    async check(bench) {
      const turns = [{ steps: WORKS.slice(0, 1), exitCode: 3 }, { steps: WORKS }, { steps: WORKS }];
      const subject = await bench.open({ turns });
      const { resume } = subject.adapter.capabilities;
      const start = resume === "folder" ? {} : { resumeSessionId: EARLIER };
      const run = await runSession(subject, { prompts: ["One.", "Two.", "Three."], start });
      const expected = { id: [true, true, true], folder: [false, false, true], none: [false, false, false] };
      const reported = run.received.map(({ isResumed }) => isResumed);
      const message = `capabilities.resume is ${resume}, but the turns that resumed the conversation do not match`;
      assert.deepEqual(reported, expected[resume], message);
    },
  },
];
