import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const PACKAGES = join(import.meta.dirname, "../../../packages");
const ADAPTERS = readdirSync(PACKAGES).filter((name) => name.startsWith("adapter-") && name !== "adapter-kit");

/** Topics for which the documentation page of each adapter has a paragraph. */
const BEHAVIOUR = ["Launch", "Authentication", "Tokens", "Permissions", "Resume", "Limits"];

function filesOf(name: string): readonly string[] {
  const inside = (folder: string) => readdirSync(join(PACKAGES, name, folder), { recursive: true, encoding: "utf8" });
  return [...inside("src"), ...inside("test")];
}

test.each(ADAPTERS)(
  "%s has unit tests, the contract, a test of the real command and a page about how that behaves [adapter-shipping-1] [adapter-shipping-3]",
  (name) => {
    const files = filesOf(name);
    const page = readFileSync(join(PACKAGES, name, "README.md"), "utf8");
    expect(files.filter((file) => file.endsWith(".test.ts")).length).toBeGreaterThan(1);
    expect(files).toContain("contract/adapter-contract.test.ts");
    // An adapter without a test of the real command must be marked as experimental at the top of its page.
    const isExperimental = page.slice(0, 400).includes("**Stability**: experimental");
    if (!isExperimental) expect(files.some((file) => /^real-[a-z]+\.test\.ts$/u.test(file))).toBe(true);
    for (const part of BEHAVIOUR) expect(page).toContain(`- **${part}.** `);
  },
);

test("there are adapters to look at", () => {
  expect(ADAPTERS.length).toBeGreaterThan(5);
});
