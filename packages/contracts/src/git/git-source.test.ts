import fc from "fast-check";
import { expect, test } from "vitest";
import { gitUrlProblem, isGitRef, normaliseGitUrl } from "./git-source.ts";

test.each([
  "https://git.example.com/team/app.git",
  "https://git.example.com:8443/team/app",
  "ssh://git@git.example.com/team/app.git",
  "file:///srv/git/app.git",
])("%s is the URL of a repository", (url) => {
  expect(gitUrlProblem(url)).toBeUndefined();
});

test.each([
  "ext::sh -c id",
  "ext::sh",
  "--upload-pack=touch",
  "-u",
  "http://git.example.com/app.git",
  "git://git.example.com/app.git",
  "fd::17",
  "git@git.example.com:team/app.git",
  "/srv/git/app.git",
  "../app.git",
  "https:git.example.com/app.git",
  "https://user@git.example.com/app.git",
  "https://user:word@git.example.com/app.git",
  "ssh://git:word@git.example.com/app.git",
  "ssh://-oProxyCommand=id/app.git",
  "ssh://-l@git.example.com/app.git",
  "https://git.example.com/app.git?token=1",
  "https://git.example.com/app.git#x",
  "https://git.example.com/team/..%2fother.git",
  "https://git.example.com/team%5capp.git",
  "https://git.example.com/app.git%0a",
  "file://server/srv/git/app.git",
  "https://git.example.com/a b.git",
  "https://git.example.com/app.git\nx",
  "https://git.example.com\\@evil.example/app.git",
  "https://",
  "",
])("%j is not the URL of a repository", (url) => {
  expect(gitUrlProblem(url)).toBeTypeOf("string");
});

test("an accepted URL is printable ASCII, has one of the protocols and no password, whatever the text", () => {
  const piece = fc.constantFrom(
    "https",
    "ssh",
    "file",
    "ext",
    "http",
    ":",
    "//",
    "::",
    "@",
    "-",
    "..",
    "%2f",
    "a.b",
    "/",
    "\\",
    " ",
    "?",
    "#",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      if (gitUrlProblem(text) !== undefined) return;
      const { protocol, password, pathname, hostname } = new URL(normaliseGitUrl(text));
      expect(["https:", "ssh:", "file:"]).toContain(protocol);
      expect(password).toBe("");
      expect(hostname.startsWith("-")).toBe(false);
      expect(decodeURIComponent(pathname).split("/")).not.toContain("..");
    }),
  );
});

test.each(["main", "v1.0", "feature/one", "0123456789012345678901234567890123456789", "HEAD", "user@fix"])(
  "%s is a ref",
  (ref) => {
    expect(isGitRef(ref)).toBe(true);
  },
);

test.each([
  "",
  "-d",
  "--upload-pack=x",
  "+main",
  "main:other",
  "a..b",
  "HEAD@{1}",
  "a b",
  "main^{commit}",
  "a/",
  "a.lock",
  "a*",
])("%j is not a ref", (ref) => {
  expect(isGitRef(ref)).toBe(false);
});
