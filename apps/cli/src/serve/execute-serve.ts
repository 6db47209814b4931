import { resolve } from "node:path";
import { toEngineError } from "@switchyard/contracts";
import { parseEnvironmentName } from "@switchyard/environment";
import {
  isAddressRange,
  openAuditLog,
  type RunningServer,
  readWebhookSecret,
  type ServerOptions,
  startServer,
  watchOwners,
  watchTokens,
} from "@switchyard/server";
import {
  type EnvironmentSelection,
  environmentNameOf,
  isEngineFile,
  toSettings,
  withSignal,
} from "@switchyard/settings";
import { printError, toPlainJson } from "@switchyard/terminal";
import { planPermissions } from "../approval/plan-permissions.ts";
import { budgetsOfOwners } from "../budget/open-budgets.ts";
import type { CommandContext } from "../context/command-context.ts";
import { openConfiguredEngine } from "../engine/open-configured-engine.ts";
import { toEnvironmentConfig } from "../environment/environment-config.ts";
import { usageError } from "../program/usage-error.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { openBrokerStore } from "../store/open-run-store.ts";
import { openTelemetryOf } from "../telemetry/open-telemetry-of.ts";
import { type Execution, executeByWorkers } from "./execute-by-workers.ts";
import { logFailure } from "./log-failure.ts";
import { openOidcFile } from "./open-oidc-file.ts";
import type { ServeOptions } from "./serve-options.ts";

/**
 * Serves an engine over HTTP until the user or the system asks it to stop. Resolves with the exit code. Rejects with
 * errors that prevent the start.
 */
export async function executeServe(context: CommandContext, options: ServeOptions): Promise<number> {
  assertSeparateEnvironments(options);
  // Registers the stop listener before anything is opened, so that a request to stop during the start is not lost.
  const stop = watchForStop(context);
  try {
    await using telemetry = await openTelemetryOf(context);
    const observe = telemetry === undefined ? {} : { observe: telemetry.observe };
    await using audit = await openAudit(context, options);
    const server = await startServer({ ...(await toServerOptions(context, options)), ...observe, audit: audit?.log });
    context.progress.hasStarted = true;
    context.stdout.write(`Serving on ${server.url}\n`);
    await stop.asked;
    await drain(context, server);
    return 0;
  } finally {
    stop.ignore();
  }
}

/** Rejects environments that all runs would share: another machine, an existing container, or an existing pod. */
function assertSeparateEnvironments(options: ServeOptions): void {
  const env = environmentNameOf(options);
  const parsed = parseEnvironmentName(env);
  if ("problem" in parsed) throw usageError(`--env ${env} is not an environment. ${parsed.problem}`, "serve");
  if (parsed.type === "ssh" || "container" in parsed || "pod" in parsed) {
    throw usageError(
      `--env ${env} is shared by all runs, and every run needs a separate environment. Use local, sandbox, memory, docker:IMAGE or k8s:IMAGE.`,
      "serve",
    );
  }
  if (options.workspace === "") throw usageError("--workspace is not a folder.", "serve");
}

async function toServerOptions(context: CommandContext, options: ServeOptions): Promise<ServerOptions> {
  const { workspace, tokens, oidc, queue } = options;
  const pathOf = (path: string): string => resolve(context.workingDirectory, path);
  const state = stateDirectory(context, options.state);
  const execution =
    queue === undefined
      ? await executeHere(context, options, state)
      : await executeByWorkers(context, { ...options, queue });
  const { store = execution.cluster?.store } = execution;
  const budgets = await budgetsOfOwners(context, options, store);
  // Also a server with a queue reads the budgets now, and does not start if it cannot read them.
  await budgets?.assertReadable();
  return {
    ...execution,
    // The workers of a queue count the runs that they execute.
    session: { ...execution.session, openSharedBudget: queue === undefined ? budgets?.open : undefined },
    ...{ checkBudget: budgets?.check, readBudget: budgets?.read },
    ...{ stateDirectory: state, host: options.host, port: options.port, allowedHosts: options.allowHost },
    ...{ concurrency: options.concurrency, maxBodyBytes: options.maxBody, maxRunSeconds: options.timeout },
    ...(await toRunsOptions(context, options)),
    ...{ maxConnections: options.maxConnections, connections: { trustedProxies: toProxies(options) } },
    workspace: workspace === undefined ? undefined : pathOf(workspace),
    tokens: tokens === undefined ? undefined : await watchTokens(pathOf(tokens), logging(context)),
    oidc: oidc === undefined ? undefined : await openOidcFile(context, oidc),
    log: (line) => context.stderr.write(`${toPlainJson(line)}\n`),
    onError: (error) => void logFailure(context, error),
    now: context.now,
  };
}

/** Returns the server options of a server that executes its runs on this machine. */
async function executeHere(context: CommandContext, options: ServeOptions, state: string): Promise<Execution> {
  const { engine } = options;
  const selectionOf = (folder: string): EnvironmentSelection => ({ ...options, workspace: folder });
  const requester = { command: "serve", isWorkspaceGiven: false, stateDirectory: state };
  // Validates the environment options when the server starts. Otherwise the first request would fail with the error.
  toEnvironmentConfig(context, selectionOf("."), requester);
  const { approval, askUser, approvalChoice } = await planPermissions(context, { ...options, askUser: false });
  const engineFile = isEngineFile(engine) ? engine : undefined;
  const standard = engineFile === undefined ? context.env["SWITCHYARD_MODEL"] || undefined : undefined;
  const model = options.model ?? standard;
  const chosen = { ...options, model, approval, askUser };
  const files = { mcpConfig: options.mcpConfig, engineFile };
  const { opened: session, references } = await openConfiguredEngine(context, chosen, files);
  const stored = { ...references, approvalChoice, askUser };
  return {
    ...{ session, store: await openBrokerStore(context, options) },
    openEnvironment: (folder, signal) =>
      withSignal(toEnvironmentConfig(context, selectionOf(folder), requester), signal),
    settings: (folder) => toSettings({ ...options, ...stored, environment: selectionOf(folder) }),
  };
}

/**
 * Returns the trusted reverse proxies. Throws `usage.invalid` for a value that is neither an IP address nor a network.
 */
function toProxies({ trustProxy = [] }: ServeOptions): readonly string[] {
  for (const proxy of trustProxy) {
    if (!isAddressRange(proxy)) {
      throw usageError(`--trust-proxy ${proxy} is neither an address nor a network such as 10.0.0.0/8.`, "serve");
    }
  }
  return trustProxy;
}

/** Returns the option with which failures to read or write a file are logged while the server runs. */
function logging({ stderr }: CommandContext) {
  return { onError: (error: unknown): void => printError(stderr, toEngineError(error)) };
}

/** Opens the audit log. Failures to write it are logged. The log is closed when the command ends. */
async function openAudit(context: CommandContext, { auditLog }: ServeOptions) {
  if (auditLog === undefined) return undefined;
  const log = await openAuditLog(resolve(context.workingDirectory, auditLog), logging(context));
  return { log, [Symbol.asyncDispose]: () => log.close() };
}

/** Returns the server options for the queue, the rate limit, the retention of runs, and webhooks. */
async function toRunsOptions(context: CommandContext, options: ServeOptions): Promise<Partial<ServerOptions>> {
  const { rateLimit, resumeOnStart, keep, keepRuns, keepSize, webhookSecret, webhookPrivate } = options;
  const path = webhookSecret === undefined ? undefined : resolve(context.workingDirectory, webhookSecret);
  return {
    resumeOnStart,
    ...(await watchOwners(options.owners && resolve(context.workingDirectory, options.owners), {
      defaults: { maxRunning: options.maxRunsPerOwner, maxStartsPerDay: options.maxRunsPerDay },
      ...logging(context),
    })),
    ...{ maxQueued: options.maxQueue, maxQueuedPerOwner: options.maxQueuePerOwner },
    ...(rateLimit === undefined ? {} : { rateLimit: { perMinute: rateLimit, burst: Math.ceil(rateLimit / 3) } }),
    ...(keep === undefined ? {} : { keepRunsMs: keep * 1_000 }),
    ...{ keepRuns, keepRunsBytes: keepSize },
    ...(path === undefined
      ? {}
      : { webhooks: { secret: await readWebhookSecret(path), allowPrivate: webhookPrivate === true } }),
  };
}

/**
 * Stops the server cleanly at the first request to stop. A second request stops the runs immediately, and a third ends
 * the process.
 */
async function drain(context: CommandContext, server: RunningServer): Promise<void> {
  let isCancelled = false;
  const ignore = context.onStopRequest(() => {
    if (isCancelled) context.exit(130);
    isCancelled = true;
    server.cancelRuns();
  });
  try {
    await server.drain();
  } finally {
    ignore();
  }
}

interface StopWatch {
  /** Returns a promise that resolves at the first request to stop. */
  readonly asked: Promise<void>;
  /** Stops handling requests. */
  ignore(): void;
}

function watchForStop(context: CommandContext): StopWatch {
  let ignore: () => void = () => undefined;
  const asked = new Promise<void>((resolvePromise) => {
    ignore = context.onStopRequest(() => resolvePromise());
  });
  return { asked, ignore };
}
