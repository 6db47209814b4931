#!/usr/bin/env node
// A custom engine without a model: its output is its response.
import { readFileSync, writeFileSync } from "node:fs";

const numbers = readFileSync("numbers.txt", "utf8").trim().split("\n").map(Number);
const sum = numbers.reduce((total, number) => total + number, 0);
writeFileSync("sum.txt", `${sum}\n`);
console.log(`The sum is ${sum}.`);
