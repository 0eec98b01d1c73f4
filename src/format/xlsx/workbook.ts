/** A workbook of one or two worksheets, written in parts (ECMA-376 Part 1, 12 and 18). */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { ZipFile } from "yazl";
import { EntsError } from "../../base/errors.ts";
import { formatNumber } from "../../base/phrases.ts";
import { joinTexts } from "../format.ts";
import { type CellXml, encodeRow, nameColumn, STYLES } from "./cells.ts";
import { MAX_ROWS } from "./limits.ts";

export interface Worksheet {
  readonly name: string;
  /** Column widths, in characters. */
  readonly widths: readonly number[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The earliest time that a zip file can hold, so that the same content gives the same bytes. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** A workbook; rows of the first worksheet are written in parts, those of the second, if any, at the end. */
export class Workbook {
  readonly #zip = new ZipFile();
  /** Compressed bytes that were not returned yet. */
  readonly #parts: Uint8Array[] = [];
  readonly #second: Worksheet | undefined;
  /** Content of the first worksheet; the zip file adds later files after it ends. */
  readonly #file = new PassThrough();
  #open: string;
  #rows = 1;
  readonly #columns: number;

  /** `titles`: the first row of the first worksheet. */
  constructor(sheets: readonly [Worksheet, ...Worksheet[]], titles: readonly CellXml[]) {
    this.#columns = titles.length;
    this.#zip.outputStream.on("data", (part: Buffer) => this.#parts.push(part));
    this.#add("[Content_Types].xml", writeContentTypes(sheets.length));
    this.#add("_rels/.rels", relate([["officeDocument", "xl/workbook.xml"]]));
    this.#add("xl/workbook.xml", describeWorkbook(sheets));
    const worksheets = sheets.map((_, index) => ["worksheet", sheetFile(index)] as const);
    this.#add("xl/_rels/workbook.xml.rels", relate([...worksheets, ["styles", "styles.xml"]]));
    this.#add("xl/styles.xml", STYLES);
    this.#zip.addReadStream(this.#file, `xl/${sheetFile(0)}`, OPTIONS);
    this.#open = DECLARATION + openSheet(sheets[0], true) + encodeRow(1, titles);
    this.#second = sheets[1];
  }

  async *write(rows: Iterable<readonly CellXml[]>): AsyncGenerator<Uint8Array> {
    for (const text of joinTexts(this.#encodeRows(rows))) yield* await this.#append(text);
  }

  async *end(others: readonly (readonly CellXml[])[]): AsyncGenerator<Uint8Array> {
    const filter = `<autoFilter ref="A1:${nameColumn(this.#columns - 1)}${this.#rows}"/>`;
    yield* await this.#append(this.#open + CLOSE_ROWS + filter + CLOSE_SHEET);
    this.#file.end();
    if (this.#second) {
      const rows = others.map((cells, index) => encodeRow(index + 1, cells));
      this.#add(`xl/${sheetFile(1)}`, [openSheet(this.#second, false), ...rows, CLOSE_ROWS, CLOSE_SHEET].join(""));
    }
    this.#zip.end();
    await once(this.#zip.outputStream, "end");
    yield* this.#parts;
  }

  #add(path: string, xml: string): void {
    this.#zip.addBuffer(Buffer.from(DECLARATION + xml), path, OPTIONS);
  }

  *#encodeRows(rows: Iterable<readonly CellXml[]>): Generator<string> {
    for (const cells of rows) {
      if (this.#rows > MAX_ROWS) throw tooMany(MAX_ROWS, "rows");
      yield this.#open + encodeRow(++this.#rows, cells);
      this.#open = "";
    }
  }

  /** Adds to the first worksheet; resolves with the bytes compressed so far. */
  async #append(text: string): Promise<Uint8Array[]> {
    await new Promise<void>((resolve, reject) =>
      this.#file.write(text, (error) => (error ? reject(error) : resolve())),
    );
    return this.#parts.splice(0);
  }
}

export function tooMany(most: number, what: string): EntsError {
  return new EntsError("output", `the result has more than the ${formatNumber(most)} ${what} that xlsx holds`, {
    hint: "choose another format, such as csv",
  });
}

function sheetFile(index: number): string {
  return `worksheets/sheet${index + 1}.xml`;
}

function relate(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${items.join("")}</Relationships>`;
}

function writeContentTypes(sheets: number): string {
  const parts = [
    ["xl/workbook.xml", "sheet.main"],
    ["xl/styles.xml", "styles"],
    ...Array.from({ length: sheets }, (_, index) => [`xl/${sheetFile(index)}`, "worksheet"]),
  ];
  const overrides = parts.map(([path, type]) => `<Override PartName="/${path}" ContentType="${CONTENT}.${type}+xml"/>`);
  const rels = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>';
  const xml = '<Default Extension="xml" ContentType="application/xml"/>';
  return `<Types xmlns="${PACKAGE}/content-types">${rels}${xml}${overrides.join("")}</Types>`;
}

function describeWorkbook(sheets: readonly Worksheet[]): string {
  const items = sheets.map(
    ({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${items.join("")}</sheets></workbook>`;
}

/** `frozen`: the first row stays visible when scrolling. */
function openSheet({ widths }: Worksheet, frozen: boolean): string {
  const pane =
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>';
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  );
  return [
    `<worksheet xmlns="${MAIN}"><sheetViews>`,
    frozen ? `<sheetView tabSelected="1" workbookViewId="0">${pane}</sheetView>` : '<sheetView workbookViewId="0"/>',
    `</sheetViews><cols>${columns.join("")}</cols><sheetData>`,
  ].join("");
}

const CLOSE_ROWS = "</sheetData>";
const CLOSE_SHEET = "</worksheet>";
