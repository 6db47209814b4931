import { EngineError, messageOf } from "@switchyard/contracts";
import { parseEgressRules } from "@switchyard/gateway/egress-rules";
import type { SuiteEnvironment } from "../suite/eval-suite.ts";
import { type Field, type FieldsByName, fail, isAbsent, readList, readMap, required } from "../suite/field.ts";
import { readOneOf, readScalar, readScalarMap, readScalars } from "../suite/scalar-fields.ts";

const KNOWN = [
  ...["type", "image", "sandbox_template", "workspace_mount", "env", "setup_steps", "use_server_proxy"],
  ...["ready_timeout_seconds", "sandbox_timeout_seconds", "entrypoint", "metadata", "kwargs", "network_policy"],
  "allowed_egress",
];

/** Settings of remote environments of skill-up, the evaluation tool whose files are read. They have no effect here. */
const REMOTE = ["sandbox_template", "use_server_proxy", "ready_timeout_seconds", "sandbox_timeout_seconds"] as const;
const IDLE = [...REMOTE, "entrypoint", "metadata", "kwargs"] as const;

/** Reads `environment`. Warnings about settings that have no effect are added to `warnings`. */
export function readEnvironment(field: Field, warnings: string[]): SuiteEnvironment | undefined {
  const fields = isAbsent(field) ? undefined : readMap(field, KNOWN);
  if (fields === undefined) return undefined;
  const type = readOneOf(fields("type"), ["none", "docker", "opensandbox"]) ?? "none";
  if (type === "opensandbox") return fail(fields("type"), "is opensandbox, which is not supported; use docker or none");
  const image = readScalar(fields("image"));
  if (type === "docker" && image === undefined) fail(fields("image"), "is required for docker");
  if (type === "none" && image !== undefined) warnings.push(`${fields("image").path} has no effect with type none.`);
  for (const name of IDLE) {
    const { path, value } = fields(name);
    if (value !== undefined && value !== null) warnings.push(`${path} has no effect here.`);
  }
  const mount = readScalar(fields("workspace_mount"));
  if (type === "docker" && mount !== undefined && mount !== "/workspace")
    warnings.push(`${fields("workspace_mount").path} has no effect here.`);
  const policy = readOneOf(fields("network_policy"), ["deny_all", "allow_declared"]);
  if (policy !== undefined && type === "none")
    fail(fields("network_policy"), "needs docker: the environment none cannot restrict the network");
  const allowedHosts = readAllowedHosts(fields, policy);
  return {
    ...(type === "docker" && image !== undefined ? { image } : {}),
    ...(policy === "deny_all" ? { hasNetwork: false } : {}),
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    variables: readScalarMap(fields("env")),
    setupSteps: readList(fields("setup_steps")).flatMap((entry) => {
      const step = readMap(entry, ["run"]);
      return (step === undefined ? undefined : required(step("run"), readScalar)) ?? [];
    }),
  };
}

/**
 * Reads `allowed_egress`: the hosts to which connections are allowed. Only valid with the network policy
 * `allow_declared`.
 */
function readAllowedHosts(fields: FieldsByName, policy: string | undefined): string[] | undefined {
  const field = fields("allowed_egress");
  if (policy !== "allow_declared") {
    if (!isAbsent(field)) fail(field, "needs network_policy: allow_declared");
    return undefined;
  }
  const hosts = required(field, readScalars);
  if (hosts === undefined) return undefined;
  try {
    parseEgressRules(`list:${hosts.join(",")}`);
    return hosts;
  } catch (error) {
    return fail(
      field,
      `is not a list of hosts: ${EngineError.is(error) ? error.details["problem"] : messageOf(error)}`,
    );
  }
}
