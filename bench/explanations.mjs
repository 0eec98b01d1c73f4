/** Why a goal is missed where it is, what the profile shows, and what was tried: by the goal's key, in Markdown. */

/** Only what a missed goal needs is printed. @type {Readonly<Record<string, string>>} */
export const EXPLANATIONS = {
  "start-up": `**Start-up on Node 20.** \`node --cpu-prof\` of one small request: a third of the time is Node compiling our
chunks and its own modules for sockets, HTTP and zlib; the rest is undici, zod and commander making their objects, and the
request itself. Done: a bundle in lazy chunks, CommonJS, undici by its deep parts, no child_process and no http2, option
tables that need no zod, formats and file output loaded when asked for, the config file read without conf, and nothing that
loads the system's locales (they took 15 ms). Node 22 and later keep compiled code between runs, which is switched on there.
Not done: a code cache of our own for Node 20.`,
  download: `**Against the download alone.** \`curl\` unpacks in C what Node unpacks in its thread pool, and then has nothing more
to do. Of the main thread's time three fifths is copying lines, and a fifth scanning (\`node --cpu-prof\`).`,
  jq: `**Against jq.** jq is as fast here as it is; what is missing is the same as against the download alone.`,
  excerpt: `**The default table.** It shows 40 rows, but all 100,000 wide rows are made to count them and to find the last ones:
1.7 µs a row. The 40 are formatted in a few milliseconds.`,
  memory: `**Memory.** Three unpacked answers are alive at a time: the one that is written, the one that settles its last bucket,
and the one that is being unpacked; each is 13 MB. Node itself takes 40 MB, undici and what else is loaded 25 MB. The rest is
dead buffers that V8 has not given back yet. Tried, each with little or no gain: a collection after each answer (10 % less
memory for 80 % more time), smaller young generations, other limits of malloc, one request at a time. Not tried: unpacking
into buffers that are used again, which would make points unsafe to hold.`,
  growth: `**Growth.** The same as for memory: with one answer there is one unpacked body and nothing dead yet.`,
};
