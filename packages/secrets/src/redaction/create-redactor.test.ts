import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, REDACTED } from "../index.ts";

const VALUE = ["Zk3v9Qp2", "Lm8sXy41"].join("");
const { text, data } = createRedactor();

describe("a value after a credential's name in prose is redacted", () => {
  test.each([
    `error: token=${VALUE}`,
    `--setting=password=${VALUE}`,
    `note: api_key: ${VALUE}`,
    `note: key: ${VALUE}, see above`,
    `level=error msg="sign-in failed" secret=${VALUE} attempt=2`,
    `level=error msg="password: ${VALUE}" attempt=2`,
    `{\\"client_secret\\":\\"${VALUE}\\"}`,
    `sent {\\\\"access_token\\\\": \\\\"${VALUE}\\\\"} twice`,
    `config.auth.token = '${VALUE}'`,
    `export GITHUB_TOKEN=${VALUE}`,
    `docker login --password ${VALUE} registry`,
    `Authorization: Bearer ${VALUE}`,
    `"authorization" => "Basic ${VALUE}"`,
    `headers[authorization]=${VALUE}`,
    `set-cookie: sid=abc; session=${VALUE}; Path=/`,
    `to\u200bken=${VALUE}`,
    `ｔｏｋｅｎ=${VALUE}`,
    `Password := ${VALUE}`,
    `password=${"1".repeat(4)}2345`,
  ])("%s", (input) => {
    const redacted = text(input);
    expect(redacted).toContain(REDACTED);
    expect(redacted).not.toContain(VALUE);
    expect(redacted).not.toContain("11112345");
    expect(text(redacted)).toBe(redacted);
  });
});

describe("a value is redacted when words, arrows, lines or escapes separate it from its name", () => {
  test.each([
    `the password is ${VALUE}.`,
    `Password for root is ${VALUE}`,
    `the password for the admin account was changed to ${VALUE}`,
    `the token is now: ${VALUE}`,
    `your new API key is "${VALUE}"`,
    `token -> ${VALUE}`,
    `token → ${VALUE}`,
    `| password | ${VALUE} |`,
    ` password | ${VALUE}`,
    `machine h login me password ${VALUE}`,
    `Password:\n${VALUE}\n`,
    `Your new token:\r\n\r\n    ${VALUE}\r\n`,
    `password: >-\n  ${VALUE}\nnext: 1`,
    `"token":\n  "${VALUE}",`,
    `Your API key\n\n${VALUE}\n\nKeep it.`,
    `body token%3D${VALUE}%26page%3D2`,
    `token%253D${VALUE}`,
    `data=%7B%22token%22%3A%22${VALUE}%22%7D`,
    `token\\u003d${VALUE}\\u0026page\\u003d2`,
    `token&#61;${VALUE}`,
    `{&quot;token&quot;:&quot;${VALUE}&quot;}`,
    "the PIN is 493817",
    "my password is hunter2!",
  ])("%s", (input) => {
    const redacted = text(input);
    expect(redacted).toContain(REDACTED);
    expect(redacted).not.toContain(VALUE);
    expect(redacted).not.toMatch(/493817|hunter2/);
    expect(text(redacted)).toBe(redacted);
  });
});

describe("passwords in command arguments are redacted", () => {
  test.each([
    "mysql -u root -phunter2 shop",
    "docker exec db mysqldump -h db -p'hunter2' shop | gzip",
    "/usr/bin/mariadb-admin -phunter2 ping",
    "sshpass -p hunter2 ssh me@host",
    "sshpass -phunter2 ssh me@host",
    "curl -u me:hunter2 https://host/",
    'curl -sSL --user "me:hunter2" https://host/',
    "curl -fsume:hunter2 https://host/",
    "curl --proxy-user=me:hunter2 https://host/",
    "http -a me:hunter2 host/path",
    "redis-cli -h host -a hunter2 ping",
    "docker login -u me -p hunter2 registry.example.com",
    "smbclient //host/share -U me%hunter2",
    "openssl rsa -in a.pem -passin pass:hunter2",
    "ldapsearch -x -D cn=me -w hunter2 -b dc=x",
    "sqlcmd -S host -U me -P hunter2",
  ])("%s", (input) => {
    const redacted = text(input);
    expect(redacted).not.toContain("hunter2");
    expect(redacted).toContain(REDACTED);
    expect(text(redacted)).toBe(redacted);
    const argv = input.split(" ").map((argument) => argument.replace(/["']/g, ""));
    expect(JSON.stringify(data({ argv }))).not.toContain("hunter2");
  });
});

describe("fields and pairs with short or ambiguous names are redacted if their value may be a secret", () => {
  test.each([
    { pass: "hunter2" },
    { pin: "4711" },
    { pin: 4711 },
    { password: 12345678 },
    { sig: VALUE },
    { signature: VALUE },
    { private: VALUE },
    { seed: "legal winner thank year wave sausage worth useful legal winner thank yellow" },
    { seed: VALUE },
    { mnemonic: "legal winner thank year wave sausage worth useful legal winner thank yellow" },
    { webhook_url: `https://host/hooks/${VALUE}` },
    { webhookUrl: `https://host/hooks/${VALUE}` },
  ])("%j", (fields) => {
    const [[name = "", value = ""] = []] = Object.entries<string | number>(fields);
    expect(data(fields)).toEqual({ [name]: REDACTED });
    for (const input of [`${name}=${value}`, `${name}: ${value}`, `x "${name}": "${value}", y`]) {
      const redacted = text(input);
      expect(redacted).not.toContain(`${value}`);
      expect(redacted).toContain(REDACTED);
      expect(text(redacted)).toBe(redacted);
    }
  });
});

describe("credentials in addresses are redacted", () => {
  test.each([
    `see https://h/?access_token=${VALUE}`,
    `https://h/cb#id_token=${VALUE}&state=1`,
    `https://me:${VALUE}@h/repo.git`,
    `https://${VALUE}${VALUE}@h/repo.git`,
    `https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=${VALUE}&x=1`,
    `https://h/?X-Goog-Signature=${VALUE}`,
    `https://a.blob.core.windows.net/c?sv=2020&sig=${VALUE}%3D`,
    `https://h/?next=https%3A%2F%2Fi%2F%3Faccess_token%3D${VALUE}%26page%3D2`,
    `/login?access%5Ftoken=${VALUE}`,
    `a href="https://h/?x=1&amp;token=${VALUE}"`,
  ])("%s", (input) => {
    const redacted = text(input);
    expect(redacted).not.toContain(VALUE);
    expect(redacted).toContain(REDACTED);
    expect(text(redacted)).toBe(redacted);
  });
});

describe("ordinary text is unchanged", () => {
  test.each([
    "const token = tokens[index + 1];",
    "const key = path.join(root, name);",
    "function sign(key: string, token: Token): void {}",
    "if (token === undefined) return next();",
    "items.sort(key=len)",
    "return login(token=token, password=password)",
    "interface Options { password: string; auth?: boolean }",
    "the password: see the vault",
    "key: Enter submits the form",
    "at Parser.token (/src/parser.ts:12:7)",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "tokens: 1234, max_tokens=4096, token_count: 7",
    "see https://host.example:8080/path?page=2&sort=name#top",
    "git@github.com:owner/name.git and https://github.com/owner/name",
    "author: me, monkey: banana",
    "basic understanding of token rotation",
    "the password is required, the token is invalid and the key is missing",
    "the key is sha256, the token is base64 and its signature is ed25519",
    "a token is 32 bytes long; the secret is v1beta1 of its kind",
    "fn token(&self) -> Option<Token1>",
    "map token -> value, node->token->next, key -> index1",
    "Enter password for root:\nPermission denied",
    "token:\n  - name: x\nkey:\n  enabled: true",
    "| token | the token of the page |",
    "const key =\n  value1;\nreturn token\n}",
    "seed: 42, seed=1234567890, pass: 12, pin: 13, private: true, sig=SIGTERM, pass=ok",
    "signature: (name: string) => void, private: readonly string[]",
    "--pass: #1a7f37; --fail: #cf222e",
    "mysql -u root -p shop, then curl -u user:password https://host/",
    'curl -u "$USER:$PASSWORD" https://host/ && docker run -u 1000:1000 image',
    "mkdir -p folder1 && ssh -p 2222 me@host",
    "webhook_url: https://example.com/hook",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the tested text contains a variable reference
    "api_key: ${ACME_API_KEY}, password=$PASSWORD, token: <your token>",
  ])("%s", (input) => {
    expect(text(input)).toBe(input);
  });
});

test("lists of headers, argument lists and name/value objects are redacted", () => {
  expect(
    data({
      headers: { "set-cookie": [`a=${VALUE}`, `b=${VALUE}`], accept: ["text/plain"] },
      rawHeaders: ["Set-Cookie", `a=${VALUE}`, "Accept", "text/plain"],
      list: [
        { name: "Authorization", value: `Bearer ${VALUE}` },
        { name: "accept", value: "x" },
      ],
      argv: ["run", "--api-key", VALUE, "--page", "2"],
      [`to\u200bken`]: VALUE,
      url: `https://h/?X-Amz-Signature=${VALUE}`,
    }),
  ).toEqual({
    headers: { "set-cookie": [REDACTED, REDACTED], accept: ["text/plain"] },
    rawHeaders: ["Set-Cookie", REDACTED, "Accept", "text/plain"],
    list: [
      { name: "Authorization", value: REDACTED },
      { name: "accept", value: "x" },
    ],
    argv: ["run", "--api-key", REDACTED, "--page", "2"],
    [`to\u200bken`]: REDACTED,
    url: `https://h/?X-Amz-Signature=${REDACTED}`,
  });
});

test("embedded JSON is redacted by its keys, and otherwise preserves its layout", () => {
  expect(text(`{"auth": {"user": "me", "value": "${VALUE}"}, "n": 1}`)).toBe(
    `{"auth":{"user":"${REDACTED}","value":"${REDACTED}"},"n":1}`,
  );
  expect(text(JSON.stringify({ inner: JSON.stringify({ credentials: [VALUE] }) }))).not.toContain(VALUE);
  expect(text('{ "a" :  1 }')).toBe('{ "a" :  1 }');
});

test("redaction takes linear time", () => {
  for (const part of [
    "token=",
    "a: ",
    '"',
    "https://a:",
    "%3fa%3d",
    "--a-",
    "\\",
    "a".repeat(50),
    "?a=",
    "{",
    "Bearer ",
    "password for a ",
    "token -> ",
    "token:\n\n ",
    "curl -u ",
    "mysql -p'",
    "seed: abc ",
    "token%3D%22",
    "word ",
  ]) {
    expect(text(part.repeat(20_000)).length).toBeGreaterThan(0);
  }
});

test("only the credentials of a nested address are redacted, and page tokens stay", () => {
  const nested = `https://host/?to=%2Fa%2Fpath%2Fof%2F1%3Fapi_key%3D${VALUE}%26page%3D2`;
  expect(text(nested)).toBe(`https://host/?to=%2Fa%2Fpath%2Fof%2F1%3Fapi_key%3D${REDACTED}%26page%3D2`);
  for (const same of ['{ "page_token": "next" } and more', "nextPageToken=CAUQAA", 'continuation_token: "abc12345"']) {
    expect(text(same)).toBe(same);
  }
});

test("rules that ignore field names redact only texts, and JSON in them as prose", () => {
  const content = createRedactor({
    ignoresFields: true,
    replacementOf: (name, item) => (name === "bytes" ? { replacement: item } : undefined),
  });
  const same = { key: "Enter", password: { type: "string" }, argv: ["--token", "next"], bytes: `token=${VALUE}` };
  expect(content.data(same)).toBe(same);
  expect(content.text('{"key":"Enter"}')).toBe('{"key":"Enter"}');
  expect(content.data({ said: `{"api_key":"${VALUE}"}` })).toEqual({ said: `{"api_key":"${REDACTED}"}` });
});

test("a redactor that has seen other texts redacts like a new one", () => {
  const words = fc.constantFrom(
    "token",
    "password is",
    "=",
    ": ",
    " -> ",
    "\n",
    "|",
    " ",
    "</key>",
    "<key>",
    VALUE,
    "x",
  );
  const texts = fc.array(
    fc.array(words, { maxLength: 8 }).map((parts) => parts.join("")),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(texts, (inputs) => {
      const used = createRedactor();
      for (const input of [...inputs, ...inputs]) expect(used.text(input)).toBe(createRedactor().text(input));
    }),
    { numRuns: 30 },
  );
});

/** Each text contains a pair that is found only if the search for its pattern begins at this one mark. */
test.each([
  ...["is", "was", "was set to", "was changed to", "was reset to", "set to", "changed to", "reset to"],
  ...["->", "→", "⇒", "➜", "|", "=", ":"],
])("a credential after a name and the mark %j is redacted", (mark) => {
  expect(createRedactor().text(`token ${mark} ${VALUE}`)).toBe(`token ${mark} ${REDACTED}`);
});

test.each([
  `password ${VALUE}`,
  `password\t${VALUE}`,
  `Your secret token\n${VALUE}`,
  `token \\u003d${VALUE}`,
  `token \\x3d${VALUE}`,
  `token &#61;${VALUE}`,
  `--token ${VALUE}`,
  `<token>${VALUE}</token>`,
])("the credential in %j is redacted", (text) => {
  expect(createRedactor().text(text)).toBe(text.replace(VALUE, REDACTED));
});
