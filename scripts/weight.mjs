/** Prints the weight of a folder (`src`, or the one named): statements without imports and blocks, types, exported names. */
import { readFileSync } from "node:fs";
import { parseSync } from "rolldown/utils";
import { globSync } from "tinyglobby";

const STATEMENT = /^(?!Block|Empty).*Statement$|^(Variable|Function|Class)Declaration$/;
const TYPE = /^TS(Interface|TypeAlias)Declaration$|^ClassDeclaration$/;
const counts = { statements: 0, types: 0, "exported names": 0 };
for (const file of globSync(`${process.argv[2] ?? "src"}/**/*.ts`)) {
  const { program, module } = parseSync(file, readFileSync(file, "utf8"));
  counts["exported names"] += module.staticExports.flatMap(({ entries }) => entries).length;
  JSON.stringify(program, (_, node) => {
    counts.statements += Number(STATEMENT.test(node?.type));
    counts.types += Number(TYPE.test(node?.type));
    return typeof node === "bigint" ? null : node;
  });
}
for (const [what, count] of Object.entries(counts)) console.log(`${count} ${what}`);
