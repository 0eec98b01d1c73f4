/** A program that uses ents as its users do: `import … from "ents"`, compiled strictly, run on plain Node. */
import * as ents from "ents";

// The library's API goes here: name what it exports, call it, and check what comes back.
const names = Object.keys(ents);
if (names.length === 0) throw new Error("ents exports nothing");

console.log("consumed");
