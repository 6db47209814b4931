import { openLocalEnvironment } from "@switchyard/environment/local";
import { checkReadiness, createRuntimeRegistry, type ReadinessFinding, secretsOfEnv } from "@switchyard/runtimes";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { type FindOptions, findRuntimes } from "./find-runtimes.ts";

/**
 * Shows a runtime package and checks the requirements of its providers. Resolves with exit code 0, or 1 if something is
 * missing. Rejects with `runtime.not_found` and `runtime.id_conflict`.
 */
export async function showRuntime(
  context: CommandContext,
  options: FindOptions & { id: string; json?: boolean },
): Promise<number> {
  const { packages } = await findRuntimes(context, options);
  const { runtime, deprecation } = createRuntimeRegistry(packages).resolve(options.id);
  const { env, stdout } = context;
  await using environment = await openLocalEnvironment({ root: runtime.folder, env });
  const checking = { environment, env, secrets: secretsOfEnv(env) };
  const findings: (ReadinessFinding & { provider: string })[] = [];
  for (const provider of runtime.manifest.agent_task_executors) {
    const found = await checkReadiness(runtime, provider, checking);
    findings.push(...found.map((one) => ({ ...one, provider: provider.id })));
  }
  const isReady = findings.every((finding) => finding.isReady);
  if (options.json === true) {
    const { id, folder, origin, document, warnings } = runtime;
    stdout.write(`${toPlainJson({ id, folder, origin, manifest: document, warnings, findings, deprecation })}\n`);
    return isReady ? 0 : 1;
  }
  const { name, version, description, agent_task_executors: providers } = runtime.manifest;
  const lines = [
    `${runtime.id}${version === undefined ? "" : ` ${version}`}${name === undefined ? "" : ` (${name})`}`,
    ...(description === undefined ? [] : [description]),
    runtime.folder,
    ...(deprecation === undefined ? [] : [`${deprecation.alias} is deprecated; use ${deprecation.replacement}`]),
    ...providers.flatMap(({ id, backend, status = "active", capabilities = [] }) => [
      "",
      `${id}: backend ${backend}, ${status}`,
      ...(capabilities.length === 0 ? [] : [`  capabilities: ${capabilities.join(", ")}`]),
      ...findings.filter(({ provider }) => provider === id).map(describeFinding),
    ]),
    ...runtime.warnings.map((warning) => `warning: ${warning}`),
  ];
  stdout.write(`${lines.map(neutraliseControls).join("\n")}\n`);
  return isReady ? 0 : 1;
}

function describeFinding({ label, isReady, problem, remediation }: ReadinessFinding): string {
  if (isReady) return `  ready: ${label}`;
  return `  missing: ${label}: ${problem ?? ""}${remediation === undefined ? "" : `. ${remediation}`}`;
}
