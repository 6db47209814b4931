import type { AdapterKind } from "@switchyard/adapter-kit";
import type { ModelRoute } from "@switchyard/contracts";
import type { OpenModelAccess } from "@switchyard/engine";
import { createModelAccess, type EnvironmentRecord } from "@switchyard/runner";
import { type Secret, secret } from "@switchyard/secrets";

/** How a third-party agent reaches models. */
export interface AdapterAccess {
  /** `gateway`, or `direct` with a reason in parentheses. */
  readonly description: string;
  /** Opens the access of a run through the gateway. `undefined` if the agent calls models directly. */
  readonly open?: OpenModelAccess | undefined;
}

/** Options for {@link openAdapterAccess}. */
interface AdapterAccessOptions {
  /** Environment variables of the host. */
  readonly env: EnvironmentRecord;
  /** Configuration of the adapter. */
  readonly block: Readonly<Record<string, unknown>>;
  /** Whether the user switched the gateway off. */
  readonly direct?: boolean | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Decides how a third-party agent reaches models. The agent uses the gateway if the adapter can redirect it and an
 * environment variable contains an API key of its provider. Otherwise the agent calls models directly, for example with
 * its own login. Rejects with `config.invalid`.
 */
export async function openAdapterAccess(kind: AdapterKind, options: AdapterAccessOptions): Promise<AdapterAccess> {
  const { env, block, direct, now } = options;
  if (direct === true) return { description: "direct (the gateway is switched off)" };
  const route = kind.modelRoute?.(block, variablesOf(kind, options));
  if (route === undefined) return { description: `direct (the adapter ${kind.kind} cannot redirect model calls)` };
  if (route.directReason !== undefined) return { description: `direct (${route.directReason})` };
  const access = createModelAccess({ env, now });
  if (!(await hasKey(access, route))) return { description: `direct (own login of ${kind.kind})` };
  return { description: "gateway", open: access.open };
}

async function hasKey(access: ReturnType<typeof createModelAccess>, { provider }: ModelRoute): Promise<boolean> {
  return (await access.providers(provider)).length > 0;
}

function variablesOf(kind: AdapterKind, { env, block }: AdapterAccessOptions): Record<string, Secret> {
  const variables: Record<string, Secret> = {};
  for (const name of kind.variableNames(block)) {
    const value = (Object.hasOwn(env, name) ? env[name] : undefined) ?? "";
    if (value !== "") variables[name] = secret(value);
  }
  return variables;
}
