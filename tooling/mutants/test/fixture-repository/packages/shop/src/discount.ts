/** Returns the price after a discount of a tenth from 100 on. */
export function discounted(price: number): number {
  if (price >= 100) return price - price / 10;
  return price;
}

/** Returns the price in words. No test covers it. */
export function describePrice(price: number): string {
  return price === 0 ? "free" : `${price} coins`;
}

/** Returns the price rounded to whole coins. Only a test of another package covers it. */
export function rounded(price: number): number {
  return price > 1 ? Math.round(price) : price;
}

/** Returns how often a price can be halved until it is at most one. */
export function halvings(price: number): number {
  let count = 0;
  for (let left = price; left > 1; left /= 2) count += 1;
  return count;
}
