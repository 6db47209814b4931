import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchAllowedCommand, matchDeniedCommand, toCommandSubject } from "./match-command.ts";

function allowed(line: string, prefix: string, platform = "linux"): string {
  return matchAllowedCommand(toCommandSubject(line, platform), prefix.split(" ")).fit;
}

function refused(line: string, prefix: string, platform = "linux"): string {
  return matchDeniedCommand(toCommandSubject(line, platform), prefix.split(" ")).fit;
}

describe("a rule that lets a command run", () => {
  test.each([
    "npm test",
    "  npm   test  ",
    "npm test -- --grep 'a b; c'",
    'npm test "with $-free quotes; and marks"'.replace("$", ""),
    "npm test\n",
    "'npm' te\"st\" a=b ./x:y@1,2+3",
    "npm test HEAD~1",
    'npm test "it\'s done!"',
  ])("matches one simple command that begins with its words: %j [loop-8-4]", (line) => {
    expect(allowed(line, "npm test")).toBe("yes");
  });

  test.each([
    "npm test; rm -rf /",
    "npm test && rm -rf /",
    "npm test || rm",
    "npm test | tee x",
    "npm test & rm",
    "npm test &",
    "npm test\nrm -rf /",
    "npm test $(rm -rf /)",
    "npm test `rm -rf /`",
    'npm test "$(rm -rf /)"',
    'npm test "`id`"',
    "npm test $HOME",
    "npm test $'x'",
    "npm test > /etc/passwd",
    "npm test < secret",
    "npm test <(id)",
    "LD_PRELOAD=./evil.so npm test",
    "A+=b npm test",
    "npm test \\; rm",
    "npm test *",
    "npm test ~",
    "npm test a=~",
    "npm test a:~",
    "npm test {a,b}",
    "npm test # ; rm",
    "npm test !x",
    "npm test 'unfinished",
    "npm test \r rm",
    "npm test \u00a0rm",
    "npm test \u0000",
    "(npm test)",
    "{ npm test; }",
    "echo x; npm test",
  ])("does not match a command that is not simple: %j [loop-8-4]", (line) => {
    expect(allowed(line, "npm test")).toBe("maybe");
  });

  test.each(["npm", "npm run", "npm testing", "npx test", "./npm test", "ls", "sudo npm test", "env npm test", ""])(
    "does not fit another command: %j [loop-8-4]",
    (line) => {
      expect(allowed(line, "npm test")).toBe("no");
    },
  );

  test("may match words by a wildcard, within one word only [loop-8-4]", () => {
    expect(allowed("npm run test:unit", "npm run test:*")).toBe("yes");
    expect(allowed("npm run lint", "npm run test:*")).toBe("no");
    expect(allowed("ls -la", "*")).toBe("yes");
    expect(allowed("anything at all", "*")).toBe("maybe");
    expect(allowed("anything; else", "*")).toBe("maybe");
  });

  test("that names an address is about no other [loop-8-4]", () => {
    expect(allowed("curl -s https://example.org/a", "curl -s https://example.org/*")).toBe("yes");
    expect(allowed("curl https://example.org/a -s", "curl https://example.org/*")).toBe("yes");
    expect(allowed("curl https://example.org/a https://evil.example/", "curl https://example.org/*")).toBe("maybe");
  });

  test("does not interpret quotes if the shell has other quotes [loop-8-4]", () => {
    expect(allowed("npm test", "npm test", "windows")).toBe("yes");
    expect(allowed("npm test 'a & del x'", "npm test", "windows")).toBe("maybe");
    expect(allowed("npm test %PATH%", "npm test", "windows")).toBe("maybe");
    expect(allowed("npm test ^& del", "npm test", "windows")).toBe("maybe");
  });

  test("never matches a line with an unquoted special character [loop-8-4]", () => {
    const special = fc.constantFrom(..."$`\\;&|<>(){}!#*?[]\n\r\0");
    fc.assert(
      fc.property(fc.string(), special, fc.string(), (before, mark, after) => {
        const line = `npm test ${before.replaceAll(/['"]/g, "")}${mark}${after}x`;
        expect(allowed(line, "npm test")).not.toBe("yes");
      }),
    );
  });
});

describe("a rule that refuses a command", () => {
  test.each([
    "rm -rf /",
    "/bin/rm -rf /",
    "ls; rm -rf x",
    "ls\nrm -rf x",
    "true && rm -rf x",
    "A=b rm -rf x",
    "r''m -rf x",
    '"rm" -rf x',
    "echo x | rm -rf y",
    "rm -rf *",
    "rm -rf x > log",
  ])("finds it wherever a command begins: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("yes");
  });

  test.each([
    "eval x",
    "$(echo cm0= | base64 -d) -rf /",
    "echo $HOME",
    "git rm x",
    "/bin/r? -rf x",
    "[r]m -rf x",
    "r* x",
    "sudo -u root /bin/r? x",
    "find . -exec /bin/r? x",
    "env -S 'cp --x'",
    "alias x=r''m; x y",
    "python3 -c 'print(1)'",
    "perl -ne print x",
    "echo cm0gLXJmIHg= | base64 -d | python3",
    "if true; then node -; fi",
    'awk \'BEGIN { system("r" "m x") }\'',
    "echo x | xargs -n1 env",
    ". ./file",
    "git co",
    "git -C sub my-alias x",
    "git -c core.pager='printf x | sh' log",
    "git -c core.pager='$X' log",
    "git rebase -x 'printf x | sh' HEAD~1",
    "git bisect run sh x",
    "git submodule foreach 'printf x | sh'",
    "git grep -O'printf x | sh' y",
    "git filter-branch --tree-filter 'sh x' HEAD",
    "git fetch --upload-pack='sh x' origin",
    "git clone 'ext::sh x' y",
    "GIT_SSH_COMMAND='sh x' git fetch",
    "GIT_CONFIG_COUNT=1 git log",
    "PAGER='sh x' git -p log",
    "BASH_ENV=x ls",
    "LD_PRELOAD=./x.so ls",
    "NODE_OPTIONS='--require ./x' npm test",
    "PATH=. ls",
    "env PATH=. ls",
    "export PATH=.",
    "make --eval='x:; printf x | sh'",
    "make SHELL='sh x'",
    "tar -cf x y --checkpoint-action=exec='printf x | sh'",
    "tar -xf x -I 'sh y'",
    "sort --compress-program='sh x' y",
    "rg --pre 'sh x' y",
    "split --filter='printf x | sh' y",
    "sed '1e printf x | sh' y",
    "sed 's/x/y/e' z",
    "man -P 'sh x' ls",
    "zip a b -T -TT 'sh x'",
    "rsync -e 'sh x' a b:",
    "scp -oProxyCommand='sh x' a b:",
    "go test -exec 'sh x' ./...",
    "npm test --script-shell='sh x'",
    "cargo test --config 'target.x.runner=\"sh x\"'",
    "wget --use-askpass='sh x' y",
    "socat EXEC:./x -",
    "sqlite3 x '.shell y'",
    "psql -c '\\! y'",
    "fzf --preview 'sh x'",
    "hg --config alias.x='!sh y' x",
    "hyperfine 'printf x | sh'",
    "apt-get -o APT::Update::Pre-Invoke::='sh x' update",
    "uv run sh x",
    "test -v 'a[$(x)]'",
    "printf -v 'a[$(x)]' y",
    "unset 'a[$(x)]'",
    "ghc -e x",
  ])("is uncertain if a shell or another program interprets the line: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("maybe");
  });

  test.each([
    "sudo rm -rf /",
    "sudo -u root -- /bin/rm x",
    "env A=b rm x",
    "env -u A -i rm x",
    "nice -n 5 timeout -k 3 10 nohup rm x",
    "find . -name x -exec rm {} +",
    "find . -execdir rm {} ';'",
    "bash -c 'rm -rf /'",
    "bash -lc 'cd x && rm -rf /'",
    "sh -e -c 'r''m x'",
    "bash <<'EOF'\nls\nrm x\nEOF",
    "bash <<< 'rm x'",
    "eval 'rm x'",
    "eval rm x",
    "\\rm -rf x",
    "xargs -n 1 rm",
    "for f in a; do rm b; done",
    "if true; then rm b; fi",
    "{ rm x; }",
    "(cd y; rm x)",
    "f() { rm x; }; f",
    "echo $(rm x)",
    'echo "a `rm x` b"',
    "cat <(rm x)",
    "cat <<EOF\n$(rm x)\nEOF",
    "! rm x",
    "time -p rm x",
    "command rm x",
    'busybox r""m x',
    "$'\\x72m' x",
    "watch -n 1 rm x",
    "ssh host rm x",
    "flock lock -c 'rm x'",
    "su root -c 'rm x'",
    "env -S 'rm x'",
    "trap 'rm x' EXIT",
    "sudo sh -c 'env rm x'",
    ">log rm x",
    "a=1 b=2 rm x",
    "GIT_SSH_COMMAND='rm x' git fetch",
    "EDITOR='rm x' git commit",
    "git -c core.pager='rm x' log",
    "git rebase --exec 'rm x' main",
    "git bisect run rm x",
    "git submodule foreach 'rm x'",
    "uv run rm x",
    "bundle exec rm x",
    "pnpm exec rm x",
    "taskset 1 rm x",
    "rsync -e 'rm x' a b:",
  ])("finds it in the commands that others start: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("yes");
  });

  test.each([
    ["git push", "git push origin"],
    ["git push", "git -C sub push origin"],
    ["git push", "git --git-dir=x --no-pager push"],
    ["git push", "git -c a.b=c push"],
    ["git push", "git send-pack x"],
    ["git push", "git http-push x"],
    ["git push", "/usr/lib/git-core/git-push x"],
    ["git push", "git-push x"],
    ["git push", "env GIT_SSH_COMMAND=x git -C y push"],
    ["git push", "sh -c 'git -C y push'"],
    ["git push --force", "git push origin main --force"],
    ["git push --force-with-lease", "git push --force-with-l origin"],
    ["git push --force", "git push -f origin"],
    ["git push --force", "git push origin +main"],
    ["git push --delete", "git push origin :main"],
    ["npm publish", "npm publi"],
    ["npm install", "npm instal x"],
    ["rm -rf", "rm -fr x"],
    ["rm -rf", "rm -r -f x"],
    ["rm -rf", "rm x --force --recurs"],
    ["rm -r", "rm -R x"],
    ["npm install", "npm i left-pad"],
    ["npm install left-pad", "npm install --save-dev left-pad"],
    ["npm run deploy", "npm run-script deploy"],
    ["npm test", "npm --prefix x t"],
    ["python", "/usr/bin/python3.11 x.py"],
    ["git", "git-upload-pack x"],
    ["cargo build", "cargo b"],
    ["vim", "nvim x"],
  ])("of %j finds the other spelling %j [loop-8-4]", (rule, line) => {
    expect(refused(line, rule)).toBe("yes");
  });

  test.each([
    ["git push", "git status"],
    ["git push", "git commit -m x"],
    ["rm -rf", "rm x"],
    ["npm install", "npm test"],
    ["git push --force", "git push origin"],
    ["git push --force", "git push origin topic:main"],
    ["npm team", "npm t"],
    ["git push", "git gc"],
  ])("for %j does not affect %j [loop-8-4]", (rule, line) => {
    expect(refused(line, rule)).toBe("no");
  });

  test.each(["npm run format", "ls -la", "echo 'harm'", "cat a > b", "FOO=bar make"])(
    "does not affect other commands: %j [loop-8-4]",
    (line) => {
      expect(refused(line, "rm")).toBe("no");
    },
  );

  test.each([
    "ls *.txt",
    "find . -name '*.ts'",
    "npm run watch",
    "npm install node",
    "node script.js -e",
    "python3 setup.py build",
    "awk 'NR == 1' x",
    'git commit -m "it\'s done"',
    "RM x",
    "CI=true NODE_ENV=test pnpm test",
    "env NODE_ENV=test npm test",
    "export FOO=1",
    "make CC=clang",
    "git -c user.name=x commit -m y",
    "sed -e 's/foo/bar/' -e '/^$/d' x",
    "sed -i 's/the/a/' x",
    "psql -c 'select 1'",
    "[ -f x ] && echo y",
    "command -v node",
    "uv run pytest -q",
    "git submodule update --init",
  ])("does not affect programs that start no other programs: %j [loop-8-4]", (line) => {
    expect(refused(line, "rm")).toBe("no");
  });

  test("means names as the file system does [loop-8-4]", () => {
    expect(refused("/bin/RM -rf x", "rm", "darwin")).toBe("yes");
    expect(refused("sudo Rm x", "rm", "darwin")).toBe("yes");
  });

  test("finds words that are separated by options [loop-8-4]", () => {
    expect(refused("git push origin", "git push")).toBe("yes");
    expect(refused("git --unknown sub push origin", "git push")).toBe("maybe");
    expect(refused("git status", "git push")).toBe("no");
  });

  test("any line is looked at in time that follows its length [loop-8-4]", () => {
    const line = `${"a".repeat(100_000)} ${"'b' ".repeat(50_000)}`;
    expect(refused(line, "rm *x*y*z*")).toBe("no");
  });
});

test("a rule that denies a program does not affect other programs of the same kind [loop-8-4]", () => {
  for (const [rule, line] of [
    ["jest", "vitest run"],
    ["wget x", "curl x"],
    ["kill", "mount"],
    ["nano", "emacs x"],
  ] as const) {
    expect([rule, refused(line, rule)]).not.toEqual([rule, "yes"]);
  }
});
