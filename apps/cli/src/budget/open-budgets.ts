import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { type BudgetView, EngineError, type RunStore } from "@switchyard/contracts";
import { parseEngineFile, type SessionOptions } from "@switchyard/runner";
import { readNamedFile } from "@switchyard/settings";
import type { BudgetAccount, BudgetLedger, Budgets, CallBudget, RunBudgetOptions } from "@switchyard/stores/budget";
import type { CommandContext, CommandProgress } from "../context/command-context.ts";
import { openRunStore, type StoreOptions } from "../store/open-run-store.ts";

/** Options that select shared budgets. */
export interface BudgetOptions extends StoreOptions {
  /** Path of the budget file. */
  budgets?: string | undefined;
}

/** Budgets of a file, and the ledger that stores their usage. */
export interface OpenedBudgets {
  readonly budgets: Budgets;
  readonly ledger: BudgetLedger;
}

/**
 * Reads the budget file, and opens the ledger in the store of the runs. Resolves with `undefined` without a file. Rejects
 * with `config.invalid` and `broker.*`.
 */
export async function openBudgets(
  context: CommandContext,
  options: BudgetOptions,
  openStore: () => Promise<Pick<RunStore, "documents">> = () => openRunStore(context, options),
): Promise<OpenedBudgets | undefined> {
  if (options.budgets === undefined) return undefined;
  const { parseBudgets } = await import("@switchyard/stores/budget");
  const { text } = await readNamedFile(context, options.budgets);
  const budgets = parseBudgets(await parseEngineFile(text, options.budgets), options.budgets);
  return { budgets, ledger: await openLedger(context, await openStore()) };
}

/**
 * Opens the ledger of the budgets in a store. Rejects with `config.invalid` if the store cannot hold documents that
 * several runs share.
 */
export async function openLedger(
  { now }: Pick<CommandContext, "now">,
  { documents }: Pick<RunStore, "documents">,
): Promise<BudgetLedger> {
  const { createBudgetLedger } = await import("@switchyard/stores/budget");
  if (documents !== undefined) return createBudgetLedger(documents, { now });
  throw new EngineError("config.invalid", { field: "budgets", problem: "the run store cannot store budgets" });
}

/**
 * Opened budgets of each command. The key is the command's `progress` object, which all copies of the command's context
 * share.
 */
const OPENED = new WeakMap<CommandProgress, Promise<OpenedBudgets | undefined>>();

/**
 * Returns the session option `openSharedBudget` for a run that a user starts on the command line. If the limit of
 * concurrent runs is reached, the run is refused or, if `waits` is true, waits. `seat` is that of `RunBudgetOptions`.
 * Rejects like {@link openUserBudget}.
 */
export async function budgetOfUser(
  context: CommandContext,
  options: BudgetOptions,
  { folders, ...limits }: RunPlace & Pick<RunBudgetOptions, "waits">,
): Promise<Pick<SessionOptions, "openSharedBudget">> {
  const opened = await openUserBudget(context, options, { folders, seat: limits.seat });
  if (opened === undefined) return {};
  const { ledger, accounts } = opened;
  const { openRunBudget } = await import("@switchyard/stores/budget");
  return { openSharedBudget: ({ signal }) => openRunBudget(ledger, accounts, { ...limits, signal }) };
}

/** Opens the budgets of a user for model calls that belong to no run. Resolves and rejects like {@link openUserBudget}. */
export async function callBudgetOfUser(
  context: CommandContext,
  options: BudgetOptions,
  folders: readonly string[],
): Promise<CallBudget | undefined> {
  const opened = await openUserBudget(context, options, { folders });
  if (opened === undefined) return undefined;
  const { openCallBudget } = await import("@switchyard/stores/budget");
  return openCallBudget(opened.ledger, opened.accounts);
}

/** Folders in which a run works, and the seat of the run for which it works. */
type RunPlace = { readonly folders: readonly string[] } & Pick<RunBudgetOptions, "seat">;

/** Budget accounts of the user, and the ledger that stores their usage. */
interface UserBudget {
  readonly accounts: readonly BudgetAccount[];
  readonly ledger: BudgetLedger;
}

/**
 * Opens the budgets of a user. Resolves with `undefined` if there are none. A command with several runs, such as
 * `chat`, reads the budget file only before the first one, so that agents cannot raise the budget. Rejects with
 * `config.invalid`, for example if the file is in one of `folders`, the folders in which the agent works.
 */
async function openUserBudget(
  context: CommandContext,
  options: BudgetOptions,
  { folders, seat }: RunPlace,
): Promise<UserBudget | undefined> {
  if (options.budgets === undefined) return undefined;
  for (const folder of folders) await assertOutside(context, options.budgets, folder);
  const opening = OPENED.get(context.progress) ?? openBudgets(context, options);
  OPENED.set(context.progress, opening);
  const opened = await opening;
  if (opened === undefined) return undefined;
  const { ledger, budgets } = opened;
  // A run that waits for this process may belong to a server. If its budgets are in another store, its process counts
  // the usage that this process reports.
  const accounts = seat === undefined ? budgets.user : budgets.named((await ledger.accountsOfRun(seat)) ?? []);
  return accounts.length === 0 ? undefined : { ledger, accounts };
}

/** Rejects with `config.invalid` if the budget file is inside `folder`, where agents could change it. */
async function assertOutside(context: CommandContext, file: string, folder: string): Promise<void> {
  const path = resolve(context.workingDirectory, file);
  const [found, workspace] = [await realPathOf(path), await realPathOf(resolve(context.workingDirectory, folder))];
  const inner = relative(workspace, found);
  if (inner === ".." || inner.startsWith(`..${sep}`) || isAbsolute(inner)) return;
  throw new EngineError("config.invalid", {
    field: "budgets",
    problem: `${path} is inside the workspace, where agents could change it; move the file out of the workspace, for example to ~/.config/switchyard/budgets.yaml, and name it with --budgets`,
  });
}

/** Resolves symbolic links. A path that does not exist is returned as it is. */
async function realPathOf(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

/**
 * Returns the session option `openSharedBudget` for runs of a server. Its value is a function that opens the budgets of
 * the run's owner. The function rejects with `budget.too_many_runs` if the owner or the server has reached a limit of
 * concurrent runs. The server then leaves the run in its queue. Rejects if the budgets cannot be read, so that the
 * server does not start; for example with `store.newer_format` if a newer release has stored them.
 */
export async function budgetOfOwners(
  opened: OpenedBudgets | undefined,
): Promise<Pick<SessionOptions, "openSharedBudget">> {
  if (opened === undefined) return {};
  const { ledger, budgets } = opened;
  const [{ openRunBudget }] = await Promise.all([import("@switchyard/stores/budget"), ledger.report()]);
  return {
    openSharedBudget: async ({ owner, signal }) => {
      const accounts = budgets.ofOwner(owner);
      return accounts.length === 0 ? undefined : await openRunBudget(ledger, accounts, { signal });
    },
  };
}

/**
 * Returns a function that reads the budget of an owner, for a server. The function rejects with the errors of the
 * store.
 */
export function budgetReader(
  opened: OpenedBudgets | undefined,
): ((owner: string) => Promise<BudgetView | undefined>) | undefined {
  if (opened === undefined) return undefined;
  const { ledger, budgets } = opened;
  return async (owner) => {
    const { readBudgetView } = await import("@switchyard/stores/budget");
    const account = budgets.ofOwner(owner).find(({ name }) => name !== "server");
    return account === undefined ? undefined : await readBudgetView(ledger, account);
  };
}

/**
 * Returns a function that a server calls before it accepts a run. The function rejects with `budget.day_exceeded` if
 * the owner's budget of the day is used up.
 */
export function budgetCheck(opened: OpenedBudgets | undefined): ((owner: string) => Promise<void>) | undefined {
  if (opened === undefined) return undefined;
  return async (owner) => {
    const { budgetError } = await import("@switchyard/stores/budget");
    const accounts = opened.budgets.ofOwner(owner);
    const refusal = accounts.length === 0 ? undefined : await opened.ledger.check(accounts);
    // A run that exceeds the limit of concurrent runs waits in the queue.
    if (refusal?.kind === "used_up") throw budgetError(refusal);
  };
}
