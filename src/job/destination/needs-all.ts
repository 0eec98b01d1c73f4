/** What an output keeps of an earlier run does not go with what came: all of it is to be fetched and written. */
export class NeedsAll extends Error {
  override readonly name = "NeedsAll";
}
