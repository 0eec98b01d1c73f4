"use strict";

/** The parts of node:assert that undici uses; the original also loads code that prints differences. */
module.exports = function assert(value, message) {
  if (!value) throw message instanceof Error ? message : new Error(message ?? "assertion failed");
};
module.exports.strictEqual = (actual, expected, message) => module.exports(Object.is(actual, expected), message);
module.exports.equal = module.exports.strictEqual;
