import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createInvoice } from "./invoice.mjs";
import { createOrder } from "./order.mjs";
import { createRefund } from "./refund.mjs";

for (const create of [createOrder, createInvoice, createRefund]) {
  assert.equal(create({ id: "c1" }, 5).customer, "c1");
  assert.equal(create({ id: "c1" }, 5).amount, 5);
  for (const customer of [undefined, {}, { id: "" }, { id: 7 }]) {
    assert.throws(() => create(customer, 1), /^Error: The customer has no id\.$/);
  }
  assert.throws(() => create({ id: "c1", isBlocked: true }, 1), /^Error: The customer is blocked\.$/);
}
const sources = readdirSync(".").filter((name) => name.endsWith(".mjs") && name !== "check.mjs");
const copies = sources.filter((name) => readFileSync(name, "utf8").includes("The customer is blocked."));
assert.equal(copies.length, 1, `the check is in ${copies.join(", ")}`);
