import { readFile } from "node:fs";

export function readConfig(path, callback) {
  readFile(path, "utf8", (error, text) => {
    if (error) return callback(error);
    let config;
    try {
      config = JSON.parse(text);
    } catch (problem) {
      return callback(problem);
    }
    callback(null, config);
  });
}

export function readConfigs(first, second, callback) {
  readConfig(first, (error, left) => {
    if (error) return callback(error);
    readConfig(second, (problem, right) => {
      if (problem) return callback(problem);
      callback(null, { ...left, ...right });
    });
  });
}
