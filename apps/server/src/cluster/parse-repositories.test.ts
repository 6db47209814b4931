import { expect, test } from "vitest";
import { parseRepositories } from "./parse-repositories.ts";

const source = { path: "repositories.yaml", env: { TOKEN: "value-of-the-token", EMPTY: "" } };
const URL = "https://git.example.com/team/";

test("rules are read with their credentials, and the password is a secret", () => {
  const rules = parseRepositories(
    [
      { url: "https://git.example.com/public/" },
      { url: URL, credential: "team", username: "robot", password_env: "TOKEN", owners: ["alice"] },
      { url: "ssh://git@git.example.com/team", credential: "key", key_file: "/keys/one" },
    ],
    source,
  );
  expect(rules).toMatchObject([
    { url: "https://git.example.com/public/", credential: undefined },
    { url: URL, credential: "team", owners: ["alice"], access: { username: "robot" } },
    { credential: "key", access: { keyFile: "/keys/one" } },
  ]);
  expect(rules[1]?.access?.password?.reveal()).toBe("value-of-the-token");
  expect(JSON.stringify(rules)).not.toContain("value-of-the-token");
});

test.each([
  [{}, "the document"],
  [[{ url: "ext::sh" }], "0.url"],
  [[{ url: "https://user:word@git.example.com/" }], "credential"],
  [[{ url: URL, credential: "team" }], "password_env"],
  [[{ url: URL, password_env: "TOKEN" }], "credential"],
  [[{ url: URL, credential: "team", password_env: "UNSET" }], "UNSET is not set"],
  [[{ url: URL, credential: "team", password_env: "EMPTY" }], "EMPTY is not set"],
  [[{ url: URL, credential: "team", key_file: "/keys/one" }], "ssh URL"],
  [[{ url: "ssh://git@host/", credential: "team", password_env: "TOKEN" }], "https URL"],
  [[{ url: "ssh://git@host/", credential: "key", key_file: "one" }], "absolute path"],
  [[{ url: URL, username: "robot" }], "username"],
  [[{ url: URL, owners: [] }], "owners"],
  [[{ url: URL, password: "word" }], "password"],
])("%j is refused", (document, problem) => {
  expect(() => parseRepositories(document, source)).toThrow(problem);
});
