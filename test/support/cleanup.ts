/** What the helpers of a test file leave open or behind, and how it is taken away when the file is done (setup.ts). */
type Cleanup = () => unknown;

const cleanups: Cleanup[] = [];

/** To be called at the end of the test file that runs now. */
export function atEndOfFile(cleanup: Cleanup): void {
  cleanups.push(cleanup);
}

/** The last first. */
export async function cleanUp(): Promise<void> {
  while (cleanups.length > 0) await cleanups.pop()?.();
}
