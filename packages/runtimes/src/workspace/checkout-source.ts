import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "@switchyard/contracts";
import { isRecord } from "../json/is-record.ts";
import type { TaskWorkspace } from "../task/task-request.ts";

/** Repository and commit from which a fresh checkout is created. */
export interface CheckoutSource {
  /** Absolute path of a local repository, or URL of a remote one. */
  readonly repository: string;
  /** Branch, tag or commit. */
  readonly ref: string;
  /** Git protocol: `file`, `https` or `ssh`. */
  readonly protocol: string;
  /** True to check out submodules too. */
  readonly submodules: boolean;
  /** Name of the secret that contains the password for the URL. */
  readonly credentialEnv?: string | undefined;
}

const PROTOCOLS: ReadonlySet<string> = new Set(["file", "https", "ssh"]);

function invalid(problem: string): EngineError {
  return new EngineError("runtime.request_invalid", { problem, problems: [problem] });
}

/** Returns true if a request asks for a fresh checkout. */
export function asksForCheckout(workspace: TaskWorkspace | undefined): boolean {
  return workspace?.mode === "materialized" || isRecord(workspace?.["materialization"]);
}

/**
 * Returns the checkout that a request asks for, from the fields `repository`, `ref`, `submodules` and `credential_env`
 * of `workspace.materialization`. Default repository: `workspace.root`. Default ref: `workspace.base_ref`, otherwise
 * the repository's HEAD commit. Throws `runtime.request_invalid`. See agent-runtime-package: workspace materialization.
 */
export function toCheckoutSource(workspace: TaskWorkspace): CheckoutSource {
  const { materialization, base_ref: baseRef, root } = workspace;
  const settings = isRecord(materialization) ? materialization : {};
  const { repository = root, ref = baseRef ?? "HEAD", submodules = false, credential_env: credentialEnv } = settings;
  if (typeof repository !== "string" || repository === "") {
    throw invalid("workspace.materialization.repository is required: an absolute path or an address");
  }
  if (typeof ref !== "string" || !isRef(ref)) throw invalid("workspace.materialization.ref is not a Git ref");
  if (credentialEnv !== undefined && (typeof credentialEnv !== "string" || !/^[A-Za-z_]\w*$/u.test(credentialEnv))) {
    throw invalid("workspace.materialization.credential_env is not the name of an environment variable");
  }
  const location = parseRepository(repository);
  if (credentialEnv !== undefined && location.protocol !== "https") {
    throw invalid("workspace.materialization.credential_env goes with an https address");
  }
  return { ...location, ref, submodules: submodules === true, credentialEnv };
}

/** Returns true for a ref that git cannot interpret as an option, a range or a command. */
function isRef(ref: string): boolean {
  return /^[\w./@+#-]{1,400}$/u.test(ref) && !ref.startsWith("-") && !ref.includes("..") && !ref.includes("@{");
}

function parseRepository(repository: string): { repository: string; protocol: string } {
  if (isAbsolute(repository)) return { repository, protocol: "file" };
  if (!URL.canParse(repository)) {
    throw invalid("workspace.materialization.repository is neither an absolute path nor an address such as https://…");
  }
  const url = new URL(repository);
  const protocol = url.protocol.slice(0, -1);
  if (!PROTOCOLS.has(protocol)) {
    throw invalid(`workspace.materialization.repository may begin with https, ssh or file, not with ${protocol}`);
  }
  if (url.password !== "" || (protocol === "https" && url.username !== "")) {
    throw invalid("workspace.materialization.repository contains a credential; name it with credential_env");
  }
  return { repository: protocol === "file" ? fileURLToPath(url) : url.href, protocol };
}
