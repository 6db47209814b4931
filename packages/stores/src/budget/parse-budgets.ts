import { EngineError } from "@switchyard/contracts";
import type { BudgetAccount, BudgetLimits } from "./budget-account.ts";

const MICROS = 1_000_000;

/** Limits in a budget file. */
const LIMITS = ["usd_per_day", "tokens_per_day", "concurrent_runs"] as const;

/** Budgets that a file configures. */
export interface Budgets {
  /** Budget account of the runs that a user starts on a command line. Empty if the file has no field `user`. */
  readonly user: readonly BudgetAccount[];
  /** Budget account that all runs of a server share. Empty if the file has no field `server`. */
  readonly server: readonly BudgetAccount[];
  /**
   * Returns the budget accounts of a run that a server executes: the account of the run's owner, and that of the
   * server. Accounts that the file does not limit are omitted.
   */
  ofOwner(owner: string | undefined): readonly BudgetAccount[];
  /** Returns the accounts with these names, such as `user`, `server` or `owner:alice`, without limits if there are none. */
  named(names: readonly string[]): readonly BudgetAccount[];
}

/**
 * Parses the content of a budget file, a mapping with the fields `user`, `server` and `owners`. `field` names the file in
 * errors. Throws `config.invalid`.
 */
export function parseBudgets(document: unknown, field: string): Budgets {
  const fields = mappingOf(document, field, ["user", "server", "owners"]);
  const owners = new Map(
    Object.entries(mappingOf(fields["owners"] ?? {}, `${field}: owners`)).map(([name, value]) => [
      name,
      limitsOf(value, `${field}: owners.${name}`),
    ]),
  );
  const accountsOf = (name: string, limits: BudgetLimits | undefined): readonly BudgetAccount[] =>
    limits === undefined ? [] : [{ name, limits }];
  const accountOf = (name: "user" | "server"): readonly BudgetAccount[] =>
    accountsOf(name, fields[name] === undefined ? undefined : limitsOf(fields[name], `${field}: ${name}`));
  const server = accountOf("server");
  const user = accountOf("user");
  const ofOwner: Budgets["ofOwner"] = (owner = "") => [
    ...accountsOf(`owner:${owner}`, owners.get(owner) ?? owners.get("default")),
    ...server,
  ];
  return {
    ...{ user, server, ofOwner },
    named: (names) =>
      names.map((name) => {
        const known = [...user, ...ofOwner(name.replace(/^owner:/u, ""))].find((account) => account.name === name);
        return known ?? { name, limits: {} };
      }),
  };
}

function limitsOf(value: unknown, field: string): BudgetLimits {
  const given = mappingOf(value, field, LIMITS);
  const numberOf = (name: (typeof LIMITS)[number]): number | undefined => {
    const limit = given[name];
    if (limit === undefined || (typeof limit === "number" && limit >= 0 && Number.isFinite(limit))) return limit;
    throw new EngineError("config.invalid", { field: `${field}.${name}`, problem: "it must be a number, 0 or more" });
  };
  const usd = numberOf("usd_per_day");
  return {
    tokensPerDay: numberOf("tokens_per_day"),
    costMicrosPerDay: usd === undefined ? undefined : Math.round(usd * MICROS),
    concurrentRuns: numberOf("concurrent_runs"),
  };
}

/** Returns the fields of a mapping. Without `known`, any fields are allowed. */
function mappingOf(value: unknown, field: string, known?: readonly string[]): Readonly<Record<string, unknown>> {
  const invalid = (problem: string): EngineError => new EngineError("config.invalid", { field, problem });
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid("it must be a mapping");
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const unknown = Object.keys(fields).find((name) => known !== undefined && !known.includes(name));
  if (unknown !== undefined) throw invalid(`the field ${unknown} is unknown; known fields: ${known?.join(", ")}`);
  return fields;
}
