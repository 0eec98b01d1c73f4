/** Explains why a goal is missed: what the profile shows and what was tried. In Markdown, by the goal's key. */

/** Only those of missed goals are printed. @type {Readonly<Record<string, string>>} */
export const EXPLANATIONS = {
  "start-up": `**Start-up.** Of a small request on Node 24, beyond bare node (\`node --cpu-prof\`): V8 reads our compiled code in a fifth of the
time, Node's own modules for streams, sockets and zlib take another, undici and the exchange itself a quarter. Done: a cache of compiled
code of our own, which also has what is compiled late (without it 1.4 times as long on Node 20; with that of Node, 1.3 times on Node
24), a bundle in a few chunks that load when needed, CommonJS, of undici the pool and the connector alone, no http, http2 and perf_hooks,
small responses decompressed synchronously, flags and responses checked by plain functions (zod checks files, 7 to 10 ms), cells that
need no quotes written without csv-stringify, formats, file output and luxon loaded on demand, idle connections left to the end of the
process, the config file read without conf, and nothing that loads the system's locales (they took 15 ms). Tried, with a gain of at most
half a millisecond: an Agent without a proxy, chunks that are not minified, chunks in ASCII, other sizes of the young generation and
other V8 flags, undici's parser and its header names in separate files, a single chunk, ending the process immediately. For help pages
the command line and its tables are loaded, and Node's streams to write it: Node 20 loads node:v8 besides, to keep undici's parser from
being optimised at every start. node:http instead of undici would save 4 to 6 ms.`,
  download: `**Against the download alone.** \`curl\` decompresses in C what Node decompresses in its thread pool, and then has nothing
more to do. Nearly half of the main thread's time is copying lines, and a fifth is scanning (\`node --cpu-prof\`).`,
  jq: `**Against jq.** The reason is the same as against the download alone.`,
  sdk: `**Against the official SDK.** It is measured once, as it takes minutes: 202, 213 and 456 s on three nights. ents took 2.3, 2.5 and 3.1 s.`,
  excerpt: `**The default table.** It shows 40 rows, but reads all 200,000 values, for a layout that fits each of them. The 40 are formatted in a
few milliseconds.`,
  memory: `**Memory.** Three decompressed responses are alive at a time: the one being written, the one that completes its last
interval, and the one being decompressed. Each is 9 MB, with 2 MB for where its points are, and is freed once its points are written.
Node itself takes 40 MB, V8's heap up to 20 MB, undici and other modules 20 MB; the rest are responses that are still compressed, and
gaps that malloc cannot reuse. Tried: responses in buffers of 33 MB, which malloc always returns (10 MB less for 20 % more time, as V8
counts all of them), a garbage collection after each response (no gain), one request at a time (slower).`,
  growth: `**Growth.** As for memory: a single response needs one decompressed body, and malloc has no gaps yet.`,
  "update-dataset": `**A night of a dataset.** Each night asks for an older response again, of 80 days here, reads it with those beside it (5 to 8 of
44), and checks the other files by their hashes: a third of the time is waiting for the disk. Of the same five regions by month in
143 Parquet files, with responses of 8 days, a night takes 1.8 times that of the newest file alone.`,
};
