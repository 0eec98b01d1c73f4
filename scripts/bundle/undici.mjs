// The parts of undici that the command uses: its index also loads fetch, WebSocket, caches and mocks.
import buildConnector from "undici/lib/core/connect.js";
import Pool from "undici/lib/dispatcher/pool.js";

export { buildConnector, Pool };
