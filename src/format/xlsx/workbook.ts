/** A workbook of one or two worksheets, written in parts (ECMA-376 Part 1, 12 and 18). */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { ZipFile } from "yazl";
import { joinTexts } from "../format.ts";
import { type CellXml, encodeRow } from "./cells.ts";
import { STYLES } from "./styles.ts";

export interface Worksheet {
  readonly name: string;
  /** In characters. */
  readonly widths: readonly number[];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The rows of the first worksheet come in parts; those of the other, if any, at the end. */
export class Workbook {
  readonly #zip = new ZipWriter();
  readonly #sheets: readonly Worksheet[];
  readonly #file: ReturnType<ZipWriter["open"]>;
  #open = "";
  #rows = 0;

  constructor(sheets: readonly [Worksheet, ...Worksheet[]]) {
    this.#sheets = sheets;
    this.#add("[Content_Types].xml", describeContent(sheets.length));
    this.#add("_rels/.rels", relate([["officeDocument", "xl/workbook.xml"]]));
    this.#add("xl/workbook.xml", describeWorkbook(sheets));
    this.#add(
      "xl/_rels/workbook.xml.rels",
      relate([...sheets.map((_, index) => ["worksheet", sheetFile(index)] as const), ["styles", "styles.xml"]]),
    );
    this.#add("xl/styles.xml", STYLES);
    this.#file = this.#zip.open(`xl/${sheetFile(0)}`);
    this.#open = DECLARATION + openSheet(sheets[0], true);
  }

  /** Adds rows to the first worksheet. */
  async *write(rows: Iterable<readonly CellXml[]>): AsyncGenerator<Uint8Array> {
    for (const text of joinTexts(this.#number(rows))) yield* await this.#zip.write(this.#file, text);
  }

  /** The second worksheet's rows, and the end. */
  async *end(others: readonly (readonly CellXml[])[]): AsyncGenerator<Uint8Array> {
    yield* await this.#zip.write(this.#file, this.#open + CLOSE_SHEET);
    this.#file.end();
    const second = this.#sheets[1];
    if (second)
      this.#add(
        `xl/${sheetFile(1)}`,
        [openSheet(second, false), ...others.map((cells, index) => encodeRow(index + 1, cells)), CLOSE_SHEET].join(""),
      );
    yield* await this.#zip.end();
  }

  #add(path: string, xml: string): void {
    this.#zip.add(path, DECLARATION + xml);
  }

  *#number(rows: Iterable<readonly CellXml[]>): Generator<string> {
    for (const cells of rows) {
      yield this.#open + encodeRow(++this.#rows, cells);
      this.#open = "";
    }
  }
}

function sheetFile(index: number): string {
  return `worksheets/sheet${index + 1}.xml`;
}

function relate(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${items.join("")}</Relationships>`;
}

function describeContent(sheets: number): string {
  const parts = [
    ["xl/workbook.xml", "sheet.main"],
    ["xl/styles.xml", "styles"],
    ...Array.from({ length: sheets }, (_, index) => [`xl/${sheetFile(index)}`, "worksheet"]),
  ];
  const overrides = parts.map(([path, type]) => `<Override PartName="/${path}" ContentType="${CONTENT}.${type}+xml"/>`);
  return [
    `<Types xmlns="${PACKAGE}/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    ...overrides,
    "</Types>",
  ].join("");
}

function describeWorkbook(sheets: readonly Worksheet[]): string {
  const items = sheets.map(({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`);
  return `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${items.join("")}</sheets></workbook>`;
}

/** `frozen`: the first row stays where the others scroll. */
function openSheet({ widths }: Worksheet, frozen: boolean): string {
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>';
  const columns = widths.map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`);
  return [
    `<worksheet xmlns="${MAIN}"><sheetViews>`,
    frozen ? `<sheetView tabSelected="1" workbookViewId="0">${pane}</sheetView>` : '<sheetView workbookViewId="0"/>',
    `</sheetViews><cols>${columns.join("")}</cols><sheetData>`,
  ].join("");
}

const CLOSE_SHEET = "</sheetData></worksheet>";

/** The first time that a zip file can hold: the same bytes whenever it is written. */
const OPTIONS = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** A zip file in parts. */
class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #parts: Uint8Array[] = [];

  constructor() {
    this.#zip.outputStream.on("data", (part: Buffer) => this.#parts.push(part));
  }

  add(path: string, text: string): void {
    this.#zip.addBuffer(Buffer.from(text), path, OPTIONS);
  }

  /** A file whose text comes in parts; the files added after it wait for its end. */
  open(path: string): PassThrough {
    const file = new PassThrough();
    this.#zip.addReadStream(file, path, OPTIONS);
    return file;
  }

  /** Writes to an open file; resolves with what is compressed by then. */
  async write(file: PassThrough, text: string): Promise<Uint8Array[]> {
    await new Promise<void>((resolve, reject) => file.write(text, (error) => (error ? reject(error) : resolve())));
    return this.#parts.splice(0);
  }

  /** The rest of the zip file. */
  async end(): Promise<Uint8Array[]> {
    this.#zip.end();
    await once(this.#zip.outputStream, "end");
    return this.#parts;
  }
}
