import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

assert.deepEqual(JSON.parse(readFileSync("contacts.json", "utf8")), [
  { email: "ada@example.org", name: "Ada Lovelace", updated: "2025-03-04" },
  { email: "bob@example.org", name: "Bob", phone: "123", updated: "2025-01-10" },
  { email: "dan@example.org", name: "Dan", updated: "2025-06-01" },
  { email: "eve@example.org", name: "Eve", updated: "2023-02-02" },
]);
