import { rounded } from "../../shop/src/discount.ts";

/** Returns what is left of an amount after a price in whole coins is paid. */
export function pay(amount: number, price: number): number {
  return amount - rounded(price);
}
