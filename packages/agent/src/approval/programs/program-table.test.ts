import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkCommand } from "./check-command.ts";
import { VALUE_KINDS } from "./check-value.ts";
import { optionsOf, parseOptions } from "./option-table.ts";
import type { Program, ProgramForm } from "./program.ts";
import { findProgram, PROGRAMS } from "./program-table.ts";

interface TableForm {
  readonly program: Program;
  readonly form: ProgramForm;
  /** Arguments that select the form. */
  readonly words: readonly string[];
}

const FORMS: readonly TableForm[] = PROGRAMS.flatMap((program) =>
  program.names.flatMap((name): TableForm[] => [
    ...(program.commands === undefined ? [{ program, form: program, words: [name] }] : []),
    ...Object.entries(program.commands ?? {}).map(([command, form]) => ({ program, form, words: [name, command] })),
  ]),
);
const covered = FORMS.filter(({ form }) => form.never === undefined);

/** Returns the problem of a command under a rule that contains the arguments of its form, such as `git log *`. */
function problemOf(words: readonly string[], named: number): string | undefined {
  return checkCommand(words, named).problem;
}

describe("the table of programs", () => {
  test("gives each name one row, and each row a source [loop-8-4]", () => {
    const names = PROGRAMS.flatMap((program) => program.names);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const {
      names: [first],
      source,
    } of PROGRAMS) {
      expect([first, /\(\d|https:|manual/.test(source)]).toEqual([first, true]);
    }
    for (const name of names) expect(findProgram(name)?.names).toContain(name);
  });

  test("writes its options and kinds in a notation that is understood [loop-8-4]", () => {
    for (const { program, form, words } of FORMS) {
      const notations = [form.options ?? "", form.needs ?? "", ...Object.values(program.risks ?? {})];
      for (const item of notations.flatMap((text) => text.split(" ")).filter((text) => text !== "")) {
        const [[name = "", spec] = []] = parseOptions(item);
        expect([words, item, /^(?:-[^\s|]*|\*)$/.test(name)]).toEqual([words, item, true]);
        expect(["module", ...VALUE_KINDS]).toContain(spec?.kind);
      }
      for (const kind of (form.operands ?? "any").split(" ").filter((text) => text !== "")) {
        expect(VALUE_KINDS).toContain(kind);
      }
      for (const name of parseOptions(form.needs ?? "").keys()) {
        expect([words, name, optionsOf(program, form).has(name)]).toEqual([words, name, true]);
      }
    }
  });

  test("covers no option with a risk, however it is written [loop-8-4]", () => {
    for (const { program, form, words } of covered) {
      for (const [name, { risk, value }] of optionsOf(program, form)) {
        if (risk === undefined) continue;
        const attached = name.startsWith("--") ? `${name}=x` : `${name}x`;
        const spellings = [[name], [name, "x"], ["x", name, "x"], ...(value === "none" ? [] : [[attached]])];
        for (const spelling of spellings) {
          // After an interpreter's script or a wrapper's inner command, options belong to that script or command.
          if (program.stops === true && spelling[0] === "x") continue;
          expect([words, spelling, problemOf([...words, ...spelling], words.length)]).not.toContain(undefined);
        }
      }
    }
  });

  test("covers no option that it does not list, nor an abbreviation of one [loop-8-4]", () => {
    const forms = covered.filter(({ program, form }) => !optionsOf(program, form).has("*"));
    const unlisted = fc.stringMatching(/^--[a-z][a-z-]{0,12}$/);
    fc.assert(
      fc.property(fc.constantFrom(...forms), unlisted, fc.boolean(), ({ program, form, words }, option, isAttached) => {
        fc.pre(!optionsOf(program, form).has(option));
        const spelling = isAttached ? [`${option}=x`] : [option, "x"];
        expect(problemOf([...words, ...spelling], words.length)).toBeDefined();
      }),
    );
    for (const { program, form, words } of forms) {
      const table = optionsOf(program, form);
      for (const [name] of table) {
        const short = name.slice(0, -1);
        if (!name.startsWith("--") || short.length < 3 || table.has(short)) continue;
        expect([words, short, problemOf([...words, short], words.length)]).not.toContain(undefined);
      }
    }
  });

  test("covers combined letters only if it lists each of them [loop-8-4]", () => {
    const forms = covered.filter(({ program }) => program.style === undefined && program.wraps === undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...forms),
        fc.stringMatching(/^[A-Za-z]{2,4}$/),
        ({ program, form, words }, letters) => {
          const table = optionsOf(program, form);
          fc.pre(!table.has(`-${letters}`));
          const first = [...letters].find((letter) => table.get(`-${letter}`)?.value !== "none");
          const spec = table.get(`-${first ?? ""}`);
          const isCovered = problemOf([...words, `-${letters}`], words.length) === undefined;
          if (first !== undefined && (spec === undefined || spec.risk !== undefined)) expect(isCovered).toBe(false);
        },
      ),
    );
  });

  test("covers writing forms inside the workspace only [loop-8-4]", () => {
    const writing = covered.filter(({ form }) => form.operands === "writes");
    expect(writing.length).toBeGreaterThan(8);
    for (const { words } of writing) {
      for (const path of ["/outside", "../outside", "a/../../b", "~/x", "a/./b", "host:x", "", "-"]) {
        expect([words, path, problemOf([...words, path], words.length)]).not.toContain(undefined);
      }
    }
    for (const name of ["mkdir", "touch", "rm", "cp", "tee"]) expect(problemOf([name, "a/b"], 1)).toBeUndefined();
  });
});

describe("a rule", () => {
  test.each([
    "git *| git -c alias.z=!id z",
    "git *| git log --output=/outside",
    "git *| git log --outp=/outside",
    "git *| git diff --ext-diff",
    "git *| git grep -Oless x",
    "git *| git grep --open-files-in-pager=less x",
    "git *| git push origin",
    "git *| git send-pack x",
    "git *| git -C x status",
    "git *| git --git-dir=x status",
    "git *| git config core.pager x",
    "git *| git rebase --exec x main",
    "git *| git difftool -x cmd",
    "git *| git submodule foreach x",
    "git *| git bisect run x",
    "git *| git archive --output=x HEAD",
    "git *| git clone x",
    "git *| git commit",
    "git *| git z",
    "git *| git reset --hard",
    "git *| git branch -D x",
    "git *| git clean -fdx",
    "git *| git --help log",
    "git *| git log --help",
    "git push *| git push --receive-pack=x origin",
    "git push *| git push --exec=x origin",
    "git push *| git push /outside",
    "git push *| git push ext::sh",
    "git push *| git push origin +main",
    "git push *| git push origin :main",
    "git push *| git push origin --delete main",
    "git push *| git push -fd origin main",
    "git checkout *| git checkout topic -- ../x",
    "git restore *| git restore -s topic /outside",
    "printf *| printf -v a[$(id)] x",
    "printf *| printf -va[$(id)] x",
    "let *| let a[$(id)]",
    "compgen *| compgen -C id",
    "getopts *| getopts a x[$(id)]",
    "node *| node --test",
    "node *| node --test-name-pattern=x --test",
    "python3 *| python3 -W error::x.Y",
    "mocha *| mocha /outside.js",
    "eslint *| eslint -c /outside.js .",
    "eslint *| eslint --fix ../x",
    "prettier *| prettier --write /outside",
    "black *| black /outside/x.py",
    "tsc *| tsc --noEmit false x.ts",
    "tsc *| tsc --noEmit @arguments",
    "git fetch *| git fetch --upload-pack=x origin",
    "git mv *| git mv a /outside",
    "npm test| npm test --script-shell=/any",
    "npm test| npm test --script-shell /any",
    "npm test| npm test -script-shell=/any",
    "npm test| npm test --node-options=--require=x",
    "npm test| npm test --prefix x",
    "npm test| npm test --userconfig=x",
    "npm *| npm exec x",
    "npm *| npm test",
    "npm *| npm publish",
    "npm install *| npm install git+ssh://x/y",
    "npx *| npx x",
    "sort| sort -o /outside x",
    "sort| sort -no/outside x",
    "sort| sort --outp=/outside x",
    "sort| sort --compress-program=x y",
    "env| env x",
    "env| env A=b git status",
    "timeout| timeout 5 x",
    "timeout *| timeout 5 git status",
    "nice| nice x",
    "nohup| nohup x",
    "xargs *| xargs x",
    "stdbuf *| stdbuf -o0 x",
    "sudo *| sudo x",
    "watch *| watch x",
    "ssh *| ssh host x",
    "busybox *| busybox sh",
    "find *| find . -delete",
    "find *| find . -exec x {} +",
    "find *| find . -okdir x ;",
    "find *| find . -fprintf /outside x",
    "find *| find -- . -delete",
    "sed *| sed -i s/a/b/ x",
    "sed *| sed --in-place=.bak s/a/b/ x",
    "sed *| sed -n 'w x'",
    "sed *| sed -e 1p -e e",
    "sed *| sed s/a/b/e x",
    "sed *| sed s/a/b/w/outside x",
    "sed *| sed -f x y",
    "awk *| awk BEGIN{system(1)}",
    "awk *| awk {print>1}",
    "awk *| awk -f x y",
    "gawk *| gawk -i inplace 1 x",
    "tar *| tar -tf x --to-command=y",
    "tar *| tar -tf x --checkpoint-action=exec=y",
    "tar *| tar -tf x -I y",
    "tar *| tar -xf x",
    "tar *| tar -tf host:x",
    "rg *| rg --pre x y",
    "rg *| rg -z x",
    "uniq *| uniq a b",
    "xxd *| xxd a b",
    "shuf *| shuf -o x y",
    "tree *| tree -o x",
    "date *| date -s x",
    "date *| date 010100002030",
    "less *| less x",
    "vim *| vim -c x",
    "ed *| ed x",
    "python3 *| python3 -c x",
    "python3 *| python3 x.py",
    "python3 x.py| python3 -c x x.py",
    "node *| node -e x",
    "perl *| perl -e x",
    "bash *| bash -c x",
    "bash *| bash x.sh",
    "make *| make SHELL=/any",
    "make *| make -f x",
    "make *| make --eval=x",
    "make *| make -C x",
    "cargo test *| cargo test --config x",
    "go test *| go test -exec x",
    "pytest *| pytest -p x",
    "pytest *| pytest /outside",
    "curl *| curl -o x https://y",
    "curl *| curl -so x https://y",
    "curl *| curl -K x",
    "curl *| curl -d @x https://y",
    "wget *| wget x",
    "rsync *| rsync -e x a b",
    "scp *| scp a b",
    "zip *| zip -TT x a b",
    "cp *| cp a /outside",
    "cp *| cp -t /outside a",
    "cp *| cp -r a/. b",
    "ln *| ln -s a b",
    "dd *| dd of=x",
    "split *| split --filter=x y",
    "man *| man -P x y",
    "gdb *| gdb -ex x",
    "openssl *| openssl x",
    "tcpdump *| tcpdump -z x",
    "docker *| docker run x",
    "kubectl *| kubectl exec x",
    "*| anything",
    "*sh| fish",
  ])("asks about options that the table does not list: %s [loop-8-4]", (text) => {
    const [rule = "", line = ""] = text.split("| ");
    const prefix = rule.split(" ");
    const wild = prefix.findIndex((word) => word.includes("*"));
    const words = line.split(" ").map((word) => word.replaceAll("'", ""));
    expect(problemOf(words, wild < 0 ? prefix.length : wild)).toBeDefined();
  });

  test.each([
    "git *| git status --short",
    "git *| git log --oneline -5 --format=%H",
    "git *| git diff HEAD~1 -- src",
    "git *| git add -A",
    "git *| git commit -am message",
    "git *| git --no-pager show HEAD",
    "git *| git stash list",
    "git *| git checkout -b topic",
    "git push *| git push -u origin main",
    "git push *| git push origin topic:main",
    "git checkout *| git checkout HEAD~1 -- src/a",
    "git restore *| git restore --source=HEAD~1 src/a",
    "printf *| printf %s x",
    "prettier *| prettier --write src",
    "eslint *| eslint --fix src --ext .ts",
    "tsc *| tsc --noEmit -p tsconfig.json",
    "mocha *| mocha test/unit",
    "node *| node --version",
    "git -C sub *| git -C sub status",
    "npm test| npm test -- --grep x",
    "npm run *| npm run build",
    "npm install *| npm install --save-dev left-pad@1",
    "npx vitest *| npx vitest run x",
    "timeout 60 npm test| timeout 60 npm test --silent",
    "env CI=1 npm test| env CI=1 npm test --silent",
    "python3 x.py| python3 x.py --anything -c x",
    "python3 -m pytest *| python3 -m pytest -q tests",
    "sort *| sort -k2,2n -t: x",
    "sort *| sort -rn x",
    "head *| head -20 x",
    "find *| find . -name *.ts -not -path ./x -type f -mtime -7",
    "sed *| sed -n 1,10p x",
    "sed *| sed s/a/b/g;s|c|d|2 x",
    "awk *| awk {print$1} x",
    "grep *| grep -rn --include=*.ts x .",
    "rg *| rg -n -g*.ts x",
    "tar *| tar -tvf x.tar",
    "make *| make -j4 all",
    "pytest *| pytest -x tests/unit",
    "curl *| curl -sSL https://example.org",
    "mkdir *| mkdir -p a/b",
    "rm *| rm -rf build",
    "env| env",
    "date *| date +%F",
    "mytool *| mytool --anything x",
    "./script.sh| ./script.sh x",
    "*| ls -la",
  ])("covers options that the table lists: %s [loop-8-4]", (text) => {
    const [rule = "", line = ""] = text.split("| ");
    const prefix = rule.split(" ");
    const wild = prefix.findIndex((word) => word.includes("*"));
    expect(problemOf(line.split(" "), wild < 0 ? prefix.length : wild)).toBeUndefined();
  });
});
