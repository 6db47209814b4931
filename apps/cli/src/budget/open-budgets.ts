import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { EngineError, type RunStore, toEngineError } from "@switchyard/contracts";
import { parseEngineFile, type SessionOptions } from "@switchyard/runner";
import { readNamedFile } from "@switchyard/settings";
import type {
  BudgetAccount,
  BudgetLedger,
  BudgetPlace,
  Budgets,
  CallBudget,
  OwnerBudgets,
  RunBudgetOptions,
} from "@switchyard/stores/budget";
import type { CommandContext, CommandProgress } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
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
  /** Files with which tasks of the runs open the same budgets. `undefined`: a broker stores the usage. */
  readonly place: BudgetPlace | undefined;
}

/**
 * Reads the budget file, and opens the ledger in the store of the runs: `store` or, by default, the store that the options
 * select. Resolves with `undefined` without a file. Rejects with `config.invalid` and `broker.*`.
 */
export async function openBudgets(
  context: CommandContext,
  options: BudgetOptions,
  store?: Pick<RunStore, "documents">,
): Promise<OpenedBudgets | undefined> {
  const { budgets: file, state } = options;
  if (file === undefined) return undefined;
  const { parseBudgets } = await import("@switchyard/stores/budget");
  const { text } = await readNamedFile(context, file);
  const budgets = parseBudgets(await parseEngineFile(text, file), file);
  const ledger = await openLedger(context, store ?? (await openRunStore(context, options)));
  if (store !== undefined || options.store !== undefined) return { budgets, ledger, place: undefined };
  const place = { budgets: resolve(context.workingDirectory, file), state: stateDirectory(context, state) };
  return { budgets, ledger, place };
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
 * concurrent runs is reached, the run is refused or, if `waits` is true, waits. `seat` is that of `RunBudgetOptions`: the
 * run is then a task, and its caller counts the usage that this process cannot count. Rejects like {@link openUserBudget}.
 */
export async function budgetOfUser(
  context: CommandContext,
  options: BudgetOptions,
  { folders, waits, seat }: RunFolders & Pick<RunBudgetOptions, "waits" | "seat">,
): Promise<Pick<SessionOptions, "openSharedBudget">> {
  const opened =
    seat === undefined
      ? await openUserBudget(context, options, { folders })
      : await openCallerBudget(context, options, { folders, seat });
  if (opened === undefined) return {};
  const { ledger, accounts, place } = opened;
  const { openRunBudget } = await import("@switchyard/stores/budget");
  return { openSharedBudget: ({ signal }) => openRunBudget(ledger, accounts, { waits, seat, place, signal }) };
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

/** Folders in which a run works. */
type RunFolders = { readonly folders: readonly string[] };

/** Budget accounts of a run, the ledger that stores their usage, and the files with which tasks of the run open both. */
interface AccountsOfRun {
  readonly accounts: readonly BudgetAccount[];
  readonly ledger: BudgetLedger;
  readonly place: BudgetPlace | undefined;
}

/**
 * Opens the budgets of a user. Resolves with `undefined` if there are none. A command with several runs, such as
 * `chat`, reads the budget file only before the first one, so that agents cannot raise the budget. Rejects with
 * `config.invalid`, for example if the file is in one of `folders`, the folders in which the agent works.
 */
async function openUserBudget(
  context: CommandContext,
  options: BudgetOptions,
  { folders }: RunFolders,
): Promise<AccountsOfRun | undefined> {
  if (options.budgets === undefined) return undefined;
  for (const folder of folders) await assertOutside(context, options.budgets, folder);
  const opening = OPENED.get(context.progress) ?? openBudgets(context, options);
  OPENED.set(context.progress, opening);
  const opened = await opening;
  if (opened === undefined || opened.budgets.user.length === 0) return undefined;
  return { ...opened, accounts: opened.budgets.user };
}

/**
 * Opens the budgets of the run that waits for this process, which may belong to a server. Resolves with `undefined` if the
 * run has none, or if they cannot be opened, for example in a container. The run then counts the usage that this process
 * reports.
 */
async function openCallerBudget(
  context: CommandContext,
  options: BudgetOptions,
  { folders, seat }: RunFolders & { readonly seat: string },
): Promise<AccountsOfRun | undefined> {
  const { parseSeat } = await import("@switchyard/stores/budget");
  const { id, place } = parseSeat(seat);
  try {
    const chosen: BudgetOptions = place ?? options;
    if (chosen.budgets === undefined) return undefined;
    for (const folder of folders) await assertOutside(context, chosen.budgets, folder);
    const opened = await openBudgets(context, chosen);
    const names = (await opened?.ledger.activeRun(id))?.accounts ?? [];
    return opened === undefined || names.length === 0
      ? undefined
      : { ...opened, accounts: opened.budgets.named(names) };
  } catch (error) {
    context.stderr.write(`budgets: the caller counts the usage: ${toEngineError(error).message}\n`);
    return undefined;
  }
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

/** Opens the budgets of the runs of a server. Resolves and rejects like {@link openBudgets}. */
export async function budgetsOfOwners(
  context: CommandContext,
  options: BudgetOptions,
  store: RunStore | undefined,
): Promise<OwnerBudgets | undefined> {
  const opened = await openBudgets(context, options, store);
  if (opened === undefined) return undefined;
  const { createOwnerBudgets } = await import("@switchyard/stores/budget");
  return createOwnerBudgets(opened);
}
