/** A plain TCP server on the loopback interface; the test decides what it does with a connection. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { atEndOfFile } from "./cleanup.ts";

export interface RawServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The number of connections so far. */
  readonly connections: number;
  /** Resolves at the next connection. */
  connected(): Promise<void>;
}

export async function startRawServer(onConnection: (socket: Socket) => void): Promise<RawServer> {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    open.add(socket.on("close", () => open.delete(socket)).on("error", () => {}));
    onConnection(socket);
    server.emit("received");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEndOfFile(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    connected: async () => {
      await once(server, "received");
    },
  };
}

/** Sends a text once something has arrived, and leaves the connection open. */
export function reply(text: string | Buffer): (socket: Socket) => void {
  return (socket) => void socket.once("data", () => socket.write(text));
}

/** The same, followed by the last of several texts again and again. */
export function drip(...texts: readonly [string, ...string[]]): (socket: Socket) => void {
  return (socket) => {
    let next = 0;
    const send = () => void socket.write(texts[Math.min(next++, texts.length - 1)] as string);
    socket.once("data", () => {
      const timer = setInterval(send, 100);
      socket.on("close", () => clearInterval(timer)).resume();
    });
  };
}
