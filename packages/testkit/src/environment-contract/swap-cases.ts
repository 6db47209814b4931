import assert from "node:assert/strict";
import { EngineError } from "@switchyard/contracts";
import { applies, type CaseBody } from "../contract/define-contract.ts";
import { type EnvironmentBench, pause, quoteArgument } from "./environment-bench.ts";

/** A script that repeatedly swaps a path in the workspace. */
interface Swap {
  readonly script: string;
  readonly durationMs: number;
}

const START_MS = 2_000;
const POLL_MS = 10;

/**
 * Repeats statements of Perl until the file `stop` exists, for at most one minute. Perl replaces a path far more often
 * than a shell, which starts a program for each step. Faults are therefore detected sooner: on a busy machine, mostly
 * within a quarter of a second. `$outside` is a folder outside the workspace. `hold` keeps a state for a random time,
 * often for no time, because the time between the check of a path and its use varies.
 */
function repeat(outside: string, statements: string): Swap {
  const program = `my $outside = shift;
    sub hold { select undef, undef, undef, rand 0.001 if rand() < 0.5; 1 }
    sub store { open my $file, ">", $_[0]; print $file $_[1]; close $file }
    store "swapping", "";
    until (-e "stop" || time > $^T + 60) { ${statements} }`;
  return { script: `perl -e ${quoteArgument(program)} ${quoteArgument(outside)}`, durationMs: 750 };
}

/**
 * Repeatedly replaces the folder `live` with a symbolic link out of the workspace, and the link with the folder again.
 * Creates the folder again if the environment has changed it.
 */
function folderSwap(outside: string): Swap {
  return repeat(
    outside,
    `rename("live", "away") && symlink($outside, "live") && hold() && unlink("live") && rename("away", "live")
      && -e "live/secret.txt" && hold() and next;
    system "rm -rf live away"; mkdir "live"; store "live/secret.txt", "inside\n"`,
  );
}

/** Repeatedly replaces a file with a symbolic link out of the workspace. */
function fileSwap(outside: string): Swap {
  return repeat(
    outside,
    `unlink "live.txt"; symlink "$outside/secret.txt", "live.txt"; hold();
    unlink "live.txt"; store "new.txt", "inside\n"; rename "new.txt", "live.txt"; hold()`,
  );
}

/**
 * Repeatedly replaces a folder with a symbolic link out of the workspace. The folder contains many files, so that
 * removing it takes time. Each state lasts only as long as a shell needs to start a program, so the path is swapped
 * several times during one removal.
 */
function fullFolderSwap(outside: string): Swap {
  const script = `n=0; : >swapping
    while [ ! -e stop ] && [ "$n" -lt 20000 ]; do
      rm -rf away live; mkdir live
      i=0; while [ $i -lt 100 ]; do echo x >live/$i.txt; i=$((i + 1)); done; echo inside >live/secret.txt
      i=0; while [ $i -lt 5 ]; do
        mv live away; ln -s ${quoteArgument(outside)} live; rm -f live; mv away live
        i=$((i + 1))
      done
      n=$((n + 1))
    done 2>/dev/null; echo done`;
  return { script, durationMs: 1_500 };
}

/**
 * Waits until a script that swaps a path has started, which takes a while on a busy machine. The environment may reject
 * calls while the workspace changes.
 */
async function awaitStart({ environment }: EnvironmentBench): Promise<void> {
  const until = performance.now() + START_MS;
  const hasStarted = (): Promise<boolean> => environment.exists("swapping").catch(() => false);
  while (!(await hasStarted()) && performance.now() < until) await pause(POLL_MS);
}

/**
 * Repeats an operation while a script swaps a path with a symbolic link. Rejections with known error codes are
 * expected.
 */
async function whileSwapping(bench: EnvironmentBench, swap: Swap, act: (round: number) => Promise<void>) {
  bench.needs("links", "processes", "host");
  applies((await bench.script("command -v perl || :")) !== "", "perl is not installed");
  await bench.writeFiles({ "live/secret.txt": "inside\n", "live.txt": "inside\n" });
  const swapping = bench.script(swap.script);
  try {
    await awaitStart(bench);
    const until = performance.now() + swap.durationMs;
    for (let round = 0; performance.now() < until; round += 1) {
      try {
        await act(round);
      } catch (error) {
        if (!EngineError.is(error)) throw error;
      }
    }
  } finally {
    await bench.writeFiles({ stop: "" });
    await swapping;
  }
}

function assertNoSecret(found: string, label: string): void {
  assert.ok(!found.includes("SECRET"), `${label} returned content from outside the workspace`);
}

/** Conformance cases for symbolic links that are created between the check of a path and its use. */
export const swapCases: readonly CaseBody<EnvironmentBench>[] = [
  {
    id: "environment/swap-read",
    requirement: "loop-4.1-2",
    title: "Never reads outside through a folder that is repeatedly swapped with a symbolic link",
    async check(bench) {
      const { environment } = bench;
      await whileSwapping(bench, folderSwap(bench.outside()), async (round) => {
        if (round % 2 === 0) assertNoSecret(await environment.readFile("live/secret.txt"), "readFile");
        else assertNoSecret(String(Buffer.from(await environment.readBytes("live/secret.txt"))), "readBytes");
      });
    },
  },
  {
    id: "environment/swap-read-file",
    requirement: "loop-4.1-2",
    title: "Never reads or searches outside through a file that is repeatedly swapped with a symbolic link",
    async check(bench) {
      const { environment } = bench;
      await whileSwapping(bench, fileSwap(bench.outside()), async (round) => {
        if (round % 3 < 2) assertNoSecret(await environment.readFile("live.txt"), "readFile");
        else assert.deepEqual((await environment.grep("SECRET", { path: "live.txt" })).matches, []);
      });
    },
  },
  {
    id: "environment/swap-written",
    requirement: "loop-4.1-2",
    title:
      "Never writes, creates, moves or removes outside through a folder that is repeatedly swapped with a symbolic link",
    async check(bench) {
      bench.needs("writing");
      const { environment } = bench;
      const changes = [
        () => environment.writeFile("live/written.txt", "x"),
        () => environment.writeFile("live/secret.txt", "x"),
        () => environment.makeDirectory("live/made"),
        () => environment.rename("live/secret.txt", "live/moved.txt"),
        () => environment.remove("live/secret.txt"),
        () => environment.remove("live"),
      ];
      await whileSwapping(bench, folderSwap(bench.outside()), async (round) => changes[round % changes.length]?.());
      await bench.assertOutsideUntouched();
    },
  },
  {
    id: "environment/swap-moved",
    requirement: "loop-4.1-2",
    title: "Moves only the folder's own content through a folder that is repeatedly swapped with a symbolic link",
    async check(bench) {
      bench.needs("writing");
      const { environment } = bench;
      await whileSwapping(bench, folderSwap(bench.outside()), async (round) => {
        if (round % 4 === 3) return environment.rename("live/moved.txt", "live/moved/again.txt");
        if (round % 4 === 2) return environment.rename("moved.txt", "live/moved.txt");
        await environment.rename("live/secret.txt", "moved.txt");
        assertNoSecret(await environment.readFile("moved.txt"), "the moved file");
      });
      await bench.assertOutsideUntouched();
    },
  },
  {
    id: "environment/swap-removed",
    requirement: "loop-4.1-2",
    title: "Removes nothing outside through a folder that is swapped with a symbolic link during removal",
    async check(bench) {
      bench.needs("writing");
      const { environment } = bench;
      await whileSwapping(bench, fullFolderSwap(bench.outside()), () => environment.remove("live"));
      await bench.assertOutsideUntouched();
    },
  },
  {
    id: "environment/swap-search",
    requirement: ["loop-4.2-11", "loop-4.2-12"],
    title: "Returns nothing from outside in a search of a folder that is repeatedly swapped with a symbolic link",
    async check(bench) {
      const { environment } = bench;
      const modes = ["content", "files", "count"] as const;
      await whileSwapping(bench, folderSwap(bench.outside()), async (round) => {
        const mode = modes[round % modes.length];
        const path = round % 2 === 0 ? "live" : ".";
        assert.deepEqual((await environment.grep("SECRET", { mode, path })).matches, []);
      });
    },
  },
  {
    id: "environment/swap-cwd",
    requirement: "loop-4.1-4",
    title: "Never runs a command outside through a working folder that is repeatedly swapped with a symbolic link",
    async check(bench) {
      bench.needs("shell");
      const { environment } = bench;
      await whileSwapping(bench, folderSwap(bench.outside()), async () => {
        const { stdout } = await environment.exec(["cat", "secret.txt"], { cwd: "live" });
        assertNoSecret(stdout, "a command");
      });
      await bench.assertOutsideUntouched();
    },
  },
];
