/** Files for search cases, by path: ignore rules, hidden and binary files, different line endings. */
export const SEARCH_TREE: Readonly<Record<string, string | Uint8Array>> = {
  ".gitignore": "ignored/\n*.log\n",
  ".git/config": "needle",
  ".hidden/h.txt": "needle in hidden\n",
  "a.txt": "one\nneedle two\nthree\nNEEDLE four\n",
  "b.log": "needle\n",
  "bin.dat": Uint8Array.from([..."needle"].map((letter) => letter.charCodeAt(0)).concat(0, 1, 255)),
  "ignored/x.txt": "needle in ignored\n",
  "node_modules/m/i.js": "needle in package\n",
  "src/.gitignore": "/local.ts\n",
  "src/app.ts": "const needle = 1;\r\nconst b = needle;\r\n",
  "src/deep/app.ts": "needle();",
  "src/local.ts": "needle",
};
