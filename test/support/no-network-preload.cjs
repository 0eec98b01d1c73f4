/*
 * Cuts this process off from every network but loopback: a stray connection or name look-up fails as it would on a
 * machine without a network, and is written, one a line, to the file that ENTS_STRAY_CONNECTIONS names. Tests load it
 * (no-network.ts); child processes get it by NODE_OPTIONS="--require <this file>", which takes less time than a module
 * that is imported.
 */
"use strict";
const { appendFileSync } = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const dgram = require("node:dgram");
const dns = require("node:dns");
const net = require("node:net");

// To listen on 0.0.0.0 sends nothing.
const LOOPBACK = /^(localhost|.+\.localhost|0\.0\.0\.0|127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3}|\[::1\])\.?$/i;
const INSTALLED = Symbol.for("ents.no-network");

const isLoopback = (host) => LOOPBACK.test(String(host));

function refuse(what) {
  const file = process.env.ENTS_STRAY_CONNECTIONS;
  if (file) appendFileSync(file, `${what}\n`);
  return Object.assign(new Error(`connect ENETUNREACH ${what} (tests talk to loopback only)`), {
    code: "ENETUNREACH",
    errno: -101,
    syscall: "connect",
    address: what,
  });
}

/** Where `socket.connect(...args)` goes: options, a port and host, or a path; node itself passes these in an array. */
function targetOf(args) {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === "object" && first !== null) return first;
  if (typeof first === "string" && !/^\d+$/.test(first)) return { path: first };
  return { port: first, host: typeof second === "string" ? second : undefined };
}

function guardSockets() {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function guardedConnect(...args) {
    const { path, host = "localhost", port } = targetOf(args);
    if (path || isLoopback(host || "localhost")) return connect.apply(this, args);
    const error = refuse(`${host}:${port}`);
    this.connecting = true;
    process.nextTick(() => this.destroy(error));
    return this;
  };
}

function guardDatagrams() {
  const { connect, send } = dgram.Socket.prototype;
  const guard = (original, hostAt) =>
    function guarded(...args) {
      const host = args.slice(hostAt).find((value) => typeof value === "string");
      if (host !== undefined && !isLoopback(host)) throw refuse(`udp ${host}`);
      return original.apply(this, args);
    };
  dgram.Socket.prototype.connect = guard(connect, 1);
  dgram.Socket.prototype.send = guard(send, 1);
}

function guardNames(api, fail) {
  for (const name of Object.getOwnPropertyNames(api).filter((key) => /^(lookup|resolve|reverse)/.test(key))) {
    const original = api[name];
    api[name] = function guardedName(host, ...rest) {
      return !host || isLoopback(host) ? original.call(this, host, ...rest) : fail(refuse(`dns ${host}`), rest);
    };
  }
}

if (!globalThis[INSTALLED]) {
  globalThis[INSTALLED] = true;
  guardSockets();
  guardDatagrams();
  for (const api of [dns, dns.Resolver.prototype])
    guardNames(api, (error, rest) => process.nextTick(rest.at(-1), error));
  for (const api of [dns.promises, dns.promises.Resolver.prototype]) guardNames(api, (error) => Promise.reject(error));
  syncBuiltinESMExports();
}
