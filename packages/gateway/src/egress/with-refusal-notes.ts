import type { ExecResult, ExecutionEnvironment } from "@switchyard/contracts";
import { wrapEnvironment } from "@switchyard/environment/wrappers";
import type { EgressDecision } from "./egress-decision.ts";

/** Maximum number of hosts whose refusals are appended to the output of one command. */
const MAX_NOTES = 10;

/** An environment whose commands report refused connections. */
interface NotedEnvironment {
  readonly environment: ExecutionEnvironment;
  /** Receives each decision of the environment's proxy. */
  note(decision: EgressDecision): void;
}

/** Refusals while one command runs: the explanation of the first one, by host and port. Contains one more than is shown. */
type Refusals = Map<string, string>;

/** Returns the explanations that the output of the command does not contain yet, one per line. */
function toText(refusals: Refusals, { stdout }: ExecResult): string {
  // Programs show the body of a refused request in plain HTTP, but not that of a refused tunnel.
  const missing = [...refusals.values()].filter((message) => !stdout.includes(message));
  const lines = missing.slice(0, MAX_NOTES);
  if (missing.length > lines.length) lines.push("Connections to further hosts were refused or failed.");
  return lines.map((line) => `${line}\n`).join("");
}

function append(text: string, end: string): string {
  return text === "" || text.endsWith("\n") ? text + end : `${text}\n${end}`;
}

/**
 * Wraps an environment whose network is a list of hosts. If connections were refused or failed while a command ran, the
 * explanation of each host is appended to the standard error of the command. Otherwise an agent would not learn the
 * reason: for HTTPS, programs such as curl and git show only the status with which the proxy refused the tunnel. Commands
 * that run at the same time get the explanations of all of them. Processes that are started with `spawn` are unchanged.
 */
export function withRefusalNotes(inner: ExecutionEnvironment): NotedEnvironment {
  const running = new Set<Refusals>();
  const environment = wrapEnvironment(inner, {
    suffix: "",
    async command({ options = {} }, run) {
      const refusals: Refusals = new Map();
      running.add(refusals);
      try {
        const result = await run(options);
        const text = toText(refusals, result);
        if (text === "") return result;
        options.onOutput?.({ stream: "stderr", text });
        return { ...result, stderr: append(result.stderr, text) };
      } finally {
        running.delete(refusals);
      }
    },
  });
  return {
    environment: { ...environment, name: inner.name },
    note({ verdict, host, port, message }) {
      if (verdict === "allowed") return;
      const target = `${host}:${port ?? ""}`;
      for (const refusals of running) {
        if (refusals.size <= MAX_NOTES && !refusals.has(target)) refusals.set(target, message);
      }
    },
  };
}
