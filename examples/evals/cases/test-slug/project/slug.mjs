/** Turns a title into the last part of a URL: "Hello, World!" becomes "hello-world". */
export function slugOf(title) {
  return title
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
