// @ts-check

/** @import { DeepSuite } from "./deep-suite.mjs" */

/** Suites by name, loaded on demand. @type {Readonly<Record<string, () => Promise<DeepSuite>>>} */
export const SUITES = {
  connections: async () => (await import("./suites/connections/connections.mjs")).connectionsSuite,
  crash: async () => (await import("./suites/crash/crash.mjs")).crashSuite,
  "gateway-agents": async () => (await import("./suites/gateway-agents/gateway-agents.mjs")).gatewayAgentsSuite,
  "hostile-models": async () => (await import("./suites/hostile-models/hostile-models.mjs")).hostileModelsSuite,
  redaction: async () => (await import("./suites/redaction/redaction.mjs")).redactionSuite,
  "shell-policy": async () => (await import("./suites/shell-policy/shell-policy-suite.mjs")).shellPolicySuite,
  undo: async () => (await import("./suites/undo/undo.mjs")).undoSuite,
};
