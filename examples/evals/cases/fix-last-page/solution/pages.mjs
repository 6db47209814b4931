/** Splits a list into pages of at most `size` items. */
export function pagesOf(items, size) {
  const pages = [];
  for (let start = 0; start < items.length; start += size) pages.push(items.slice(start, start + size));
  return pages;
}
