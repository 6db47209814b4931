import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { call } from "./call.mjs";
import { greet } from "./greeting.mjs";
import { findUser } from "./users.mjs";

assert.equal(findUser(1).name, "Ada");
assert.equal(greet(2), "Hello, Bob.");
assert.equal(greet(3), "Hello, stranger.");
assert.equal(call("find", 1).name, "Ada");
const old = ["get", "Usr"].join("");
const files = readdirSync(".", { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name);
for (const name of files) assert.ok(!readFileSync(name, "utf8").includes(old), `${name} has the old name`);
