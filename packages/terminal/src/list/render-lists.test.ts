import { EngineError } from "@switchyard/contracts";
import { expect, test } from "vitest";
import { renderClusterStatus } from "./render-cluster-status.ts";
import { renderEngineReadiness } from "./render-engine-readiness.ts";
import { renderEnvironmentReadiness } from "./render-environment-readiness.ts";
import { renderModelList } from "./render-model-list.ts";
import { runRowOf } from "./run-row-of.ts";

const PLAIN = { hasColour: false };

test("a list of models shows limits, prices and availability, and marks default models", () => {
  const prices = { input: 3, output: 15, cache_read: 0.3, as_of: "2026-11-01" };
  const lines = renderModelList([
    { model: "a/big", context_window: 200_000, max_output: 64_000, prices, is_default: true, is_known: true },
    { model: "a/new", is_default: false, is_known: false, is_offered: true },
    { model: "a/old", is_default: false, is_known: true, is_offered: false },
  ]);
  expect(lines.map((line) => line.replace(/ {2,}/g, "  "))).toEqual([
    "* a/big  context 200,000  output 64,000  $3 in, $0.3 cached, $15 out (2026-11-01)",
    " a/new  context ?  output ?  price unknown  available, not in the catalog",
    " a/old  context ?  output ?  price unknown  not available",
  ]);
});

test("the state of a cluster is a summary, then workers, owners and dead letters, without control characters", () => {
  const worker = { name: "w\u001b[2J", engines: ["agent"], environments: ["local"], labels: { gpu: "1" } };
  const lines = renderClusterStatus({
    workers: [{ ...worker, version: "1.0.0", running: 1, free: 2 }],
    owners: [{ owner: "ada", queued: 3, running: 1 }],
    queue_age_seconds: 7,
    dead_letters: [{ run_id: "01JD", lost_attempts: 3 }],
  });
  expect(lines).toEqual([
    "1 worker, 3 queued, oldest 7 s, 1 dead letter",
    "worker w␛[2J: 1 running, 2 free; agent local gpu=1; 1.0.0",
    "owner ada: 3 queued, 1 running",
    "dead letter 01JD: lost 3 attempts",
  ]);
});

test("the readiness of an engine lists its state, features and fixes", () => {
  const features = { usage: "turn", resume: "none", mcp: true, permissions: "asks" };
  const ready = {
    name: "codex",
    ok: true,
    isInstalled: true,
    command: "codex",
    version: "1.2",
    signedIn: "yes",
  } as const;
  expect(renderEngineReadiness({ ...ready, signedInBy: "OPENAI_API_KEY", features, fixes: [] }, PLAIN)).toEqual([
    "codex  ready  codex, version 1.2, authenticated (OPENAI_API_KEY)",
    "  reports tokens; starts new sessions only; supports MCP servers; tools: asks",
  ]);
  const missing = { name: "kiro", ok: false, isInstalled: false, signedIn: "unknown" } as const;
  expect(renderEngineReadiness({ ...missing, modelAccess: "direct", fixes: ["Install it."] }, PLAIN)).toEqual([
    "kiro  missing  not installed",
    "  model access: direct",
    "  Install it.",
  ]);
});

test("the readiness of environments lists what is missing and how to install it", () => {
  const install = [{ system: "Debian", command: "apt install bubblewrap" }];
  const lines = renderEnvironmentReadiness(
    [
      { name: "local", ok: true, found: [], missing: [] },
      { name: "sandbox", ok: false, found: ["x"], missing: [{ problem: "bwrap is missing.", install }] },
      { name: "k8s", ok: false, found: [], missing: [{ problem: "No cluster", install: [] }] },
    ],
    PLAIN,
  );
  expect(lines).toEqual([
    "local    ready",
    "sandbox  missing  x",
    "  bwrap is missing:",
    "    Debian: apt install bubblewrap",
    "k8s      missing",
    "  No cluster.",
  ]);
});

test("a damaged run is a row with its problem", () => {
  const problem = new EngineError("run.malformed_record", { path: "/runs/01JD/run.json", problem: "it is damaged" });
  const row = runRowOf({ runId: "01JD", location: "/runs/01JD", problem }, { shortId: "01", status: "completed" });
  expect(row).toEqual({
    ...{ id: "01JD", shortId: "01", status: "damaged", engine: "", model: "", task: problem.message },
  });
});
