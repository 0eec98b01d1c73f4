// undici loads http for IncomingMessage, which ents never passes to it, and for maxHeaderSize.
module.exports = { IncomingMessage: class {}, maxHeaderSize: 16 * 1024 };
