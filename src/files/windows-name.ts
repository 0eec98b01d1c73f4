/**
 * Names of the null device on Windows and elsewhere. On Windows, NUL in a folder is a plain file that few programs can
 * delete.
 */
export const NULL_DEVICE = /^(nul|\/dev\/null)$/i;
/** The longest name, in UTF-16 code units. Of a longer one, Windows only says that its folder does not exist. */
const MOST = 255;
/** Names that Windows gives to devices, whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[1-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

/** Why Windows cannot have a file of this path; undefined if it can. */
export function findNameProblem(path: string): string | undefined {
  if (NULL_DEVICE.test(path)) return undefined;
  const names = path.replace(/^(?:[\\/]{2}[?.][\\/])?(?:[a-z]:)?/i, "").split(/[\\/]/);
  for (const name of names.filter((part) => !/^\.{0,2}$/.test(part))) {
    const [character] = /[<>:"|?*\u0000-\u001f]/.exec(name) ?? [];
    if (character !== undefined) return `the name of a file cannot contain ${JSON.stringify(character)} on Windows`;
    if (name.length > MOST) return "its name is too long";
    if (DEVICE.test(name)) return `"${name}" is the name of a device on Windows`;
    if (/[. ]$/.test(name)) return `the name of a file cannot end with a dot or a space on Windows`;
  }
  return undefined;
}
