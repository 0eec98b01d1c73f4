/**
 * Frees memory that nothing uses any more, within a turn of the event loop; V8 would hold it until it collects all of its heap.
 * What is transferred to a closed port belongs to nobody (`ArrayBuffer.transfer` came with Node 22).
 * @throws where it is shared, as that of small buffers is.
 */
export function freeMemory(memory: ArrayBuffer): void {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(memory, [memory]);
}
