import type { BudgetAccount, BudgetAccountUse, BudgetReport } from "@switchyard/stores/budget";
import { neutraliseControls, toPlainJson } from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";
import { openRunStore } from "../store/open-run-store.ts";
import { type BudgetOptions, openBudgets, openLedger } from "./open-budgets.ts";

const MICROS = 1_000_000;

/** Options of the command `budget`. */
export interface ShowBudgetsOptions extends BudgetOptions {
  /** Whether to print JSON. */
  json?: boolean;
}

/** Usage and limits of an account, as the command prints them. */
interface ShownAccount {
  readonly account: string;
  readonly tokens: number;
  readonly tokens_per_day?: number | undefined;
  readonly usd: number;
  readonly usd_per_day?: number | undefined;
  readonly runs: number;
  readonly concurrent_runs?: number | undefined;
}

/** Prints the usage of all shared budgets. Resolves with exit code 0. Rejects with `config.invalid` and `broker.*`. */
export async function showBudgets(context: CommandContext, options: ShowBudgetsOptions): Promise<number> {
  const store = await openRunStore(context, options);
  const opened = await openBudgets(context, options, store);
  const { day, accounts } = await (opened?.ledger ?? (await openLedger(context, store))).report();
  const limited = opened === undefined ? [] : [...opened.budgets.user, ...opened.budgets.server];
  const names = new Set([...limited, ...accounts].map(({ name }) => name));
  const shown = [...names].sort().map((name) => {
    const owner = /^owner:(.*)$/s.exec(name)?.[1];
    const limits = owner === undefined ? limited : (opened?.budgets.ofOwner(owner) ?? []);
    return toShown(name, accounts, limits);
  });
  context.stdout.write(options.json === true ? `${toPlainJson({ day, accounts: shown })}\n` : render({ day, shown }));
  return 0;
}

function toShown(name: string, uses: readonly BudgetAccountUse[], limited: readonly BudgetAccount[]): ShownAccount {
  const { tokens = 0, costMicros = 0, runs = 0 } = uses.find((one) => one.name === name) ?? {};
  const { tokensPerDay, costMicrosPerDay, concurrentRuns } = limited.find((one) => one.name === name)?.limits ?? {};
  return {
    ...{ account: name, tokens, usd: costMicros / MICROS, runs },
    ...(tokensPerDay === undefined ? {} : { tokens_per_day: tokensPerDay }),
    ...(costMicrosPerDay === undefined ? {} : { usd_per_day: costMicrosPerDay / MICROS }),
    ...(concurrentRuns === undefined ? {} : { concurrent_runs: concurrentRuns }),
  };
}

function render({ day, shown }: Pick<BudgetReport, "day"> & { readonly shown: readonly ShownAccount[] }): string {
  if (shown.length === 0) return `No usage of shared budgets on ${day} (UTC).\n`;
  const of = (limit: string | undefined): string => (limit === undefined ? "" : ` of ${limit}`);
  const usd = (amount: number): string => `$${amount.toFixed(2)}`;
  const lines = shown.map((one) => {
    const limit = one.usd_per_day === undefined ? undefined : usd(one.usd_per_day);
    const cost = `${usd(one.usd)}${of(limit)}`;
    const tokens = `${one.tokens}${of(one.tokens_per_day?.toString())} tokens`;
    return `${neutraliseControls(one.account)}: ${cost}, ${tokens}, ${one.runs}${of(one.concurrent_runs?.toString())} active runs\n`;
  });
  return `Usage on ${day} (UTC):\n${lines.join("")}`;
}
