import type { ExecutorProvider, RoleNames } from "../manifest/runtime-manifest.ts";
import type { TaskArtifact } from "../task/task-outcome.ts";
import type { OpenFields } from "../task/task-request.ts";

/**
 * Returns the common role for a provider-specific name, or `undefined` if none is configured. Letter case is ignored,
 * and `*` in a configured name matches any characters.
 */
function roleOf(names: RoleNames | undefined, native: string | undefined): string | undefined {
  if (native === undefined) return undefined;
  return Object.entries(names ?? {}).find(([, aliases]) => aliases.some((alias) => matches(alias, native)))?.[0];
}

function matches(alias: string, name: string): boolean {
  const parts = alias.toLowerCase().split("*");
  let rest = name.toLowerCase();
  const [first = "", ...others] = parts;
  if (others.length === 0) return rest === first;
  const last = others.pop() ?? "";
  if (!rest.startsWith(first) || rest.length < first.length + last.length) return false;
  rest = rest.slice(first.length);
  if (!rest.endsWith(last)) return false;
  rest = rest.slice(0, rest.length - last.length);
  for (const part of others) {
    const index = rest.indexOf(part);
    if (index < 0) return false;
    rest = rest.slice(index + part.length);
  }
  return true;
}

/**
 * Returns an artifact whose role is replaced by the common role of all providers. The common role is looked up by the
 * artifact's provider-specific role, kind or file name. See agent-runtime-package: role_aliases.
 */
export function withRole(artifact: TaskArtifact, { role_aliases: aliases }: ExecutorProvider): TaskArtifact {
  const file = artifact.path?.split("/").at(-1) ?? artifact.name;
  const role =
    roleOf(aliases?.artifact_roles, artifact.role) ??
    roleOf(aliases?.artifact_kinds, artifact.kind) ??
    roleOf(aliases?.artifact_filenames, file);
  return role === undefined ? artifact : { ...artifact, role };
}

/**
 * Copies fields with provider-specific names to their shared names. Existing fields are not replaced. See
 * agent-runtime-package: role_aliases.
 */
export function withRoleNames(fields: OpenFields, names: RoleNames | undefined): OpenFields {
  const added = Object.entries(fields).flatMap(([name, value]) => {
    const role = roleOf(names, name);
    return role === undefined || Object.hasOwn(fields, role) ? [] : [[role, value] as const];
  });
  return added.length === 0 ? fields : { ...fields, ...Object.fromEntries(added) };
}
