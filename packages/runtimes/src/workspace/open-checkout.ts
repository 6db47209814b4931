import { randomUUID } from "node:crypto";
import { cp, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  EngineError,
  type ExecutionEnvironment,
  findRepositoryArgv,
  gitMessage,
  parseFoundRepository,
  toGitVariables,
} from "@switchyard/contracts";
import { createProcessOwner } from "@switchyard/process-owner";
import type { Secret } from "@switchyard/secrets";
import { type GitOptions, runGit } from "../git/run-git.ts";
import type { CheckoutSource } from "./checkout-source.ts";
import { onDiskOf, storageFaultInOutput } from "./storage-fault.ts";

/** A folder with a fresh checkout. Disposing this object removes the folder. */
export interface Checkout extends AsyncDisposable {
  /** Absolute path of the checkout. */
  readonly folder: string;
  /** Full id of the checked-out commit. */
  readonly commit: string;
  /**
   * Runs git on the files of the checkout or of another folder. The git settings are stored outside the checkout, where
   * commands in the checkout cannot change them. Rejects with `workspace.no_worktree` if git fails.
   */
  git(argv: readonly string[], options?: CheckoutGitOptions): Promise<string>;
}

/** Options for running git on a checkout. */
interface CheckoutGitOptions extends GitOptions {
  /** Folder with the files that git works on. Default: the checkout. */
  readonly files?: string | undefined;
}

/** Options for `openCheckout`. */
export interface CheckoutOptions {
  /** Folder for checkouts. */
  readonly stateFolder: string;
  /** Opens an environment for a folder. */
  readonly openFolder: (folder: string) => Promise<ExecutionEnvironment>;
  /** Password for the repository's URL. */
  readonly credential?: Secret | undefined;
  /** Signal that cancels the checkout when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks out a repository in a new folder, with a detached HEAD and without remotes. No programs that the repository
 * configures are run. Removes checkouts whose processes have died. Rejects with `workspace.no_worktree`, or with
 * `run.store_failed` if the disk cannot be written. See agent-runtime-package: workspace materialization.
 */
export function openCheckout(source: CheckoutSource, options: CheckoutOptions): Promise<Checkout> {
  return onDiskOf(options.stateFolder, () => make(source, options));
}

async function make(source: CheckoutSource, options: CheckoutOptions): Promise<Checkout> {
  const base = join(options.stateFolder, "checkouts");
  await mkdir(base, { recursive: true, mode: 0o700 });
  await sweepCheckouts(options.stateFolder);
  const checkoutFolder = join(await realpath(base), `${createProcessOwner().token}.${randomUUID()}`);
  await mkdir(checkoutFolder, { mode: 0o700 });
  try {
    return await fill(checkoutFolder, source, options);
  } catch (error) {
    await remove(checkoutFolder);
    throw error;
  }
}

/** Removes checkouts whose processes have died. Resolves with the number of removed checkouts. */
export async function sweepCheckouts(stateFolder: string): Promise<number> {
  const base = join(stateFolder, "checkouts");
  const owner = createProcessOwner();
  const names = await readdir(base).catch(() => []);
  const dead = names.filter((name) => owner.livenessOf(name.split(".")[0] ?? "") === "dead");
  for (const name of dead) await remove(join(base, name));
  return dead.length;
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function fill(checkoutFolder: string, source: CheckoutSource, options: CheckoutOptions): Promise<Checkout> {
  const { repository, ref, protocol, submodules } = source;
  const [pristine, folder] = [join(checkoutFolder, "base.git"), join(checkoutFolder, "checkout")];
  await mkdir(folder);
  const environment = await options.openFolder(checkoutFolder);
  const run = async (argv: readonly string[], gitOptions: GitOptions = {}, files = folder): Promise<string> => {
    const { exitCode, stdout, stderr } = await runGit(environment, argv, { signal: options.signal, ...gitOptions });
    if (exitCode === 0) return stdout;
    // Only disk faults of the checkout's folder are reported here.
    // The caller that passed another folder handles the faults of that folder.
    const fault = files === folder ? storageFaultInOutput(stderr, options.stateFolder) : undefined;
    if (fault !== undefined) throw fault;
    const problem = gitMessage(stderr);
    throw new EngineError("workspace.no_worktree", { path: repository, problem });
  };
  const git: Checkout["git"] = (argv, { files = folder, ...options } = {}) =>
    run([`--git-dir=${pristine}`, `--work-tree=${files}`, "-C", files, ...argv], options, files);
  const close = async () => {
    await environment[Symbol.asyncDispose]();
    await remove(checkoutFolder);
  };
  try {
    if (protocol === "file") await assertOwnRepository(repository, run);
    await run(["init", "--quiet", "--template=", "--bare", pristine]);
    const fetching = { protocols: [protocol], env: authorization(source, options.credential) };
    await run([`--git-dir=${pristine}`, "fetch", "--quiet", "--no-tags", "--", repository, ref], fetching);
    const commit = (await git(["rev-parse", "--verify", "FETCH_HEAD^{commit}"])).trim();
    await git(["update-ref", "--no-deref", "HEAD", commit]);
    await git(["checkout", "--quiet", "--detach", "--force", commit]);
    // Commands get a copy of the `.git` folder.
    // Changes are read with the original, whose settings the commands could not change.
    await cp(pristine, join(folder, ".git"), { recursive: true });
    await run(["-C", folder, "config", "core.bare", "false"]);
    await rm(join(folder, ".git", "FETCH_HEAD"), { force: true });
    if (submodules) {
      const update = ["submodule", "--quiet", "update", "--init", "--recursive", "--checkout"];
      await run(["-C", folder, ...update], { ...fetching, protocols: [...new Set([protocol, "https"])] });
    }
    return { folder, commit, git, [Symbol.asyncDispose]: close };
  } catch (error) {
    await environment[Symbol.asyncDispose]();
    throw error;
  }
}

/** Rejects if the `.git` file of a folder points to another repository, whose content the runtime must not read. */
async function assertOwnRepository(folder: string, run: (argv: readonly string[]) => Promise<string>): Promise<void> {
  const ask = async (kind: "tree" | "bare") => parseFoundRepository(await run(findRepositoryArgv(folder, kind)));
  const found = await ask("tree").catch((error: unknown) =>
    // Tests for a bare repository separately, because git does not find one by itself.
    ask("bare").catch(() => Promise.reject(error)),
  );
  if (found?.isForeign === false) return;
  const problem = "the repository that it names does not list it as one of its working trees";
  throw new EngineError("workspace.no_worktree", { path: folder, problem });
}

/** Returns environment variables that pass the password to git, for the URL of the repository only. */
function authorization({ repository }: CheckoutSource, credential: Secret | undefined): Record<string, string> {
  if (credential === undefined) return {};
  const encoded = Buffer.from(`x-access-token:${credential.reveal()}`).toString("base64");
  return toGitVariables([
    [`http.${new URL(repository).origin}/.extraHeader`, `Authorization: Basic ${encoded}`],
    ["http.followRedirects", "false"],
  ]);
}
