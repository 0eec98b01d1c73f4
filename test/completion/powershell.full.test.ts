/** Checks the script for PowerShell with a grammar; the shell itself is not available. */
import { createRequire } from "node:module";
import { type Node, Language, Parser } from "@vscode/tree-sitter-wasm";
import { beforeAll, expect, test } from "vitest";
import { SHELLS } from "../../src/cli/completion/shells.ts";

const { script } = SHELLS.powershell;

await Parser.init();
const parser = new Parser();

beforeAll(async () => {
  const grammar = createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-powershell.wasm");
  parser.setLanguage(await Language.load(grammar));
});

function listFaults(node: Node): string[] {
  const own = node.isError || node.isMissing ? [`line ${node.startPosition.row + 1}: ${node.text}`] : [];
  return [...own, ...node.children.flatMap((child) => (child ? listFaults(child) : []))];
}

function parse(text: string): Node {
  const tree = parser.parse(text);
  if (!tree) throw new Error("not parsed");
  return tree.rootNode;
}

test("it is valid", () => {
  expect(listFaults(parse(script))).toEqual([]);
});

test.each(["{", "}", "(", "@("])("without a %s it would be invalid", (part) => {
  expect(listFaults(parse(script.replace(part, "")))).not.toEqual([]);
});

test("it registers a completer for ents", () => {
  const commands = parse(script)
    .descendantsOfType("command")
    .map((command) => command?.text ?? "");
  expect(commands[0]).toMatch(/^Register-ArgumentCompleter -Native -CommandName ents -ScriptBlock \{/);
});
