/** Explains why a goal is missed: what the profile shows and what was tried. In Markdown, by the goal's key. */

/** Only those of missed goals are printed. @type {Readonly<Record<string, string>>} */
export const EXPLANATIONS = {
  "start-up": `**Start-up.** \`node --cpu-prof\` of one small request on Node 24, above what bare node takes: undici and the exchange
itself a quarter, reading and unpacking the kept code of our chunks a sixth, Node's own modules for streams, sockets and zlib
another. Done: a bundle in a few chunks that load when they are needed and find each other without Node's look-up, compiled code kept
between runs, CommonJS, undici by its deep parts, no child_process, http, http2 and perf_hooks, small answers unpacked at once, option tables that need no zod, zod's small build (5
to 8 ms less than the whole), formats, file output and luxon loaded when asked for, idle connections left to the end of the process, the config file read without conf, and nothing that loads the system's locales (they took
15 ms). Tried, with a gain of half a millisecond at most: an Agent where there is no proxy, chunks that are
not minified, chunks in ASCII, other sizes of the young generation and other flags of V8, undici's parser and its names of headers in files of their
own, one chunk for all, kept code without its second copy, ending the process at once. node:http in undici's place would save 4 to 6 ms.`,
  download: `**Against the download alone.** \`curl\` unpacks in C what Node unpacks in its thread pool, and then has nothing more
to do. Of the main thread's time nearly half is copying lines, and a fifth scanning (\`node --cpu-prof\`).`,
  jq: `**Against jq.** What is missing against jq is the same as against the download alone.`,
  sdk: `**Against the official SDK.** It is measured once, as it takes minutes: 202, 213 and 456 s on three nights. ents took 2.3, 2.5 and 3.1 s.`,
  excerpt: `**The default table.** It shows 40 rows, but all 100,000 wide rows are made to count them and to find the last ones:
1.7 µs a row. The 40 are formatted in a few milliseconds.`,
  memory: `**Memory.** Three unpacked answers are alive at a time: the one that is written, the one that settles its last bucket,
and the one that is being unpacked; each is 9 MB, and freed when its points were handed on. Node's own program takes 40 MB of it, V8's
heap up to 27 MB, undici and what else is loaded 20 MB; the rest is what malloc holds between the answers in pieces that none fits in. Tried:
a mapping of their own for all larger buffers (10 MB less for 4 % more time), answers in buffers of 33 MB, which malloc always
gives back (15 MB less for 8 % more time), a collection after each answer (nothing more), one request at a time (slower).`,
  growth: `**Growth.** The same as for memory: with one answer there is one unpacked body, and malloc has nothing in pieces yet.`,
};
